import Readiness
import Verifications

/// The code that switches enforcement on, and how it is deployed.
struct EnforcementCode {
    private let generation: Generation?
    /// The name in the source, if it is known and valid in the language.
    private let name: String

    init(_ function: FunctionSummary) {
        generation = function.identity.generation
        name = EnforcementCode.isIdentifier(function.name) ? function.name : "NAME"
    }

    /// Each language with its lines; all of them for an unknown generation.
    var listings: [(title: String, language: String, lines: [String])] {
        var listings: [(title: String, language: String, lines: [String])] = []
        if generation != .first {
            listings.append(
                (
                    "Node.js, generation 2:", "js",
                    [
                        #"const { onCall } = require("firebase-functions/v2/https");"#,
                        "exports.\(name) = onCall({ enforceAppCheck: true }, (request) => { /* as it is */ });",
                    ]
                ))
        }
        if generation != .second {
            listings.append(
                (
                    "Node.js, generation 1 (firebase-functions 4 or newer):", "js",
                    [
                        #"const functions = require("firebase-functions/v1");"#,
                        "exports.\(name) = functions.runWith({ enforceAppCheck: true })",
                        "    .https.onCall((data, context) => { /* as it is */ });",
                    ]
                ))
        }
        if generation != .first {
            listings.append(
                (
                    "Python:", "python",
                    [
                        "@https_fn.on_call(enforce_app_check=True)",
                        "def \(name)(request: https_fn.CallableRequest):",
                        "    ...  # as it is",
                    ]
                ))
        }
        return listings
    }

    var deployment: String {
        "firebase deploy --only functions:\(name)"
    }

    /// True when the log may have changed the name: generation 2 entries have it in lower case.
    var mayHaveLostCase: Bool {
        generation == .second && name != "NAME" && name == name.lowercased()
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
