import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What the real Python packages log: `Fixtures/python-packages`, which lists them.
///
/// The script answers nine requests, each status of one token with each of the other. Each must be counted once, also
/// where both tokens are refused and the package writes two tuples.
@Suite struct PythonPackageTests {
    private static let script = TransportFixture.folder.appending(path: "../python-packages/verification_lines.py")
        .standardizedFileURL.path

    private static let refusals = TransportFixture.folder.appending(path: "../python-packages/refusal_lines.py")
        .standardizedFileURL.path

    /// True when the packages are installed, or all tools must be.
    private static let areExpected =
        ProcessInfo.processInfo.environment["CALLCHECK_REQUIRE_TOOLS"] == "1"
        || (try? ExternalTool.python.run(["-c", "import firebase_functions, google.cloud.logging"])) != nil

    private static let statuses = ["VALID", "MISSING", "INVALID"].flatMap { app in
        ["VALID", "MISSING", "INVALID"].map { "\(app)/\($0)" }
    }

    /// What `firebase-admin` says of each token that it refuses, and of keys that it cannot get.
    @Test(.enabled(if: areExpected, "firebase-functions and google-cloud-logging for Python are not installed"))
    func everyRefusalHasItsCause() throws {
        let printed = try ExternalTool.python.run([PythonPackageTests.refusals])
        var causes: [String: Int] = [:]
        for request in String(decoding: printed, as: UTF8.self).components(separatedBy: "-- ").dropFirst() {
            let lines = request.split(separator: "\n").map { String($0) }
            let name = try #require(lines.first)
            let meanings = lines.dropFirst().compactMap { line in
                var line = line
                return line.withUTF8 { unsafe SDKLineText.meaning(of: RawText($0)) }
            }
            let isRefused = name != "valid"
            let expected = RefusalCause.allCases.filter { isRefused && $0.name == name }.map(SDKLine.Meaning.cause)
            #expect(expected.isEmpty != isRefused)
            #expect(meanings == expected, "\(request)")
            let scan = try Scan.bytes(Array(lines.dropFirst().joined(separator: "\n").utf8))
            #expect(scan.found.map(\.app) == [isRefused ? .invalid : .valid])
            causes[name, default: 0] += 1
        }
        #expect(
            causes == [
                "valid": 2, "placeholder": 5, "expired": 1, "otherProject": 2, "unknownKey": 1, "forged": 2,
                "otherToken": 3, "serverFault": 6,
            ])
    }

    @Test(
        .enabled(if: areExpected, "firebase-functions and google-cloud-logging for Python are not installed"),
        arguments: ["basic", "structured", "cloud"])
    func everyRequestIsCountedOnce(form: String) throws {
        let scan = try Scan.bytes(ExternalTool.python.run([PythonPackageTests.script, form]))
        #expect(scan.found.map { "\($0.app.name)/\($0.auth.name)" } == PythonPackageTests.statuses)
        // Only entries on their way to Cloud Logging name a project, and they say their severity in numbers.
        let isEntry = form == "cloud"
        #expect(Set(scan.found.map(\.identity)) == [identity(isEntry ? "PROJ/-/-" : "-/-/-", nil)])
        #expect(scan.kinds == [])
        let passes = scan.found.filter { $0.app != .invalid && $0.auth != .invalid }
        #expect(passes.map(\.severity) == Array(repeating: .info, count: 4))
        // Between them are the lines about each refused token.
        #expect(scan.summary.records >= 9 + 6)
    }
}
