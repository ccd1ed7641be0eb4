import Foundation
import Testing
import Verifications

@testable import LogStream

/// Every text that firebase-admin for Node 9.8 to 14.3 and firebase-functions for Python 0.6 write about a refused
/// token, as they were rendered by running them.
@Suite struct SDKLineTextTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/refusals")

    private func lines(_ file: String) throws -> [String] {
        try String(contentsOf: SDKLineTextTests.folder.appending(path: file), encoding: .utf8)
            .split(separator: "\n").map { String($0) }
    }

    private func meaning(of text: String) -> SDKLine.Meaning? {
        var text = text
        return text.withUTF8 { unsafe SDKLineText.meaning(of: RawText($0)) }
    }

    private static let nodeCauses: [String: RefusalCause] = [
        "placeholder": .placeholder, "expired": .expired, "aud": .otherProject, "kid": .unknownKey, "sig": .forged,
        "alg": .otherToken, "iss": .otherToken, "jwksfail": .serverFault,
    ]

    @Test func node() throws {
        var seen = 0
        for line in try lines("node.txt") where line.hasPrefix("v") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            let name = try #require(parts[0].split(separator: " ").last)
            let cause = try #require(SDKLineTextTests.nodeCauses[String(name)])
            let found = meaning(of: String(parts[1]))
            #expect(found == .cause(cause), "\(line)")
            // As in JSON, with escaped quotes.
            let escaped = String(parts[1]).replacing("\"", with: "\\\"")
            #expect(meaning(of: escaped) == .cause(cause), "\(line)")
            seen += 1
        }
        #expect(seen == 32)
    }

    private static let pythonCauses: [String: RefusalCause?] = [
        "placeholder": .placeholder, "empty": .placeholder, "uuid-debug-token": .placeholder, "valid": nil,
        "expired": .expired, "aud": .otherProject, "kid": .unknownKey, "sig": .forged, "alg": .otherToken,
        "iss": .otherToken, "nosub": .forged, "iatfuture": .serverFault, "jwks unreachable": .serverFault,
        "bad bearer": nil,
    ]

    @Test func python() throws {
        var cause: RefusalCause?
        var seen = 0
        for line in try lines("python.txt") {
            if line.hasPrefix("-- ") {
                let name = String(line.dropFirst(3))
                #expect(SDKLineTextTests.pythonCauses.keys.contains(name))
                cause = SDKLineTextTests.pythonCauses[name] ?? nil
                seen += 1
            } else if line.contains("Error validating token") {
                let found = meaning(of: line)
                #expect(found == cause.map { .cause($0) }, "\(line)")
                #expect(meaning(of: String(line.dropFirst("ERROR:root:".count))) == found, "\(line)")
            } else {
                #expect(meaning(of: line) == nil, "\(line)")
            }
        }
        #expect(seen == 14)
    }

    @Test(
        arguments: [
            (
                "FirebaseAppCheckError: Must initialize app with a cert credential or set your Firebase project",
                .serverFault
            ),
            ("FirebaseAppCheckError: Unexpected response with status: 502 and body: …", .serverFault),
            ("FirebaseAppError: Error while making request: getaddrinfo ENOTFOUND", .serverFault),
            ("HttpsError: Internal Error", .serverFault),
            ("Error: Cannot validate AppCheck token. Please uupdate Firebase Admin SDK to >= v9.8.0", .serverFault),
            ("FirebaseAppCheckError: The caller does not have permission", .consume),
            ("FirebaseAppCheckError: The provided App Check token has no \"sub\" (subject) claim.", .forged),
            (
                "FirebaseAppCheckError: The provided App Check token has an empty string \"sub\" (subject) claim.",
                .forged
            ),
            ("FirebaseAppCheckError: The provided App Check token is strange.", .unexplained),
            ("TypeError: x is not a function", .unexplained),
        ] as [(String, RefusalCause)])
    func others(text: String, cause: RefusalCause) {
        #expect(meaning(of: "Failed to validate AppCheck token. " + text) == .cause(cause))
    }

    /// What generation 1's platform says of an execution.
    @Test(
        arguments: [
            ("200", .answered(.success)), ("204", .preflight), ("302", .answered(.redirect)),
            ("400", .answered(.failure)), ("401", .answered(.unauthenticated)), ("403", .answered(.forbidden)),
            ("404", .answered(.notFound)), ("429", .answered(.transient)), ("500", .answered(.serverError)),
            ("100", nil), ("20", nil), ("", nil), ("crash", nil),
        ] as [(String, SDKLine.Meaning?)])
    func answers(status: String, answer: SDKLine.Meaning?) {
        for letter in ["f", "F"] {
            let text = "Function execution took 12 ms, \(letter)inished with status code: \(status)"
            #expect(meaning(of: text) == answer)
        }
        #expect(meaning(of: "says: Function execution took 1 ms, finished with status code: \(status)") == nil)
    }

    @Test func noLinesOfTheSDK() {
        #expect(
            meaning(of: "Allowing request with invalid AppCheck token because enforcement is disabled")
                == .allowing)
        for text in [
            "", "Failed to validate auth token. FirebaseAuthError: Firebase ID token has expired.",
            "user says: Failed to validate AppCheck token. FirebaseAppCheckError: The provided App Check token has expired.",
            "Error validating token: Token expired, 1700000000 < 1700000001", "Error validating token: ",
        ] {
            #expect(meaning(of: text) == nil, "\(text)")
        }
    }
}
