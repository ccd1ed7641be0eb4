import Foundation
import Testing
import Verifications

@testable import LogStream

/// A file of `Fixtures/transports`, and all that must be read from it.
struct TransportFixture: CustomTestStringConvertible, Sendable {
    let file: String
    let records: Int
    /// One line for each verification: `PROJECT/REGION/NAME GENERATION APP/AUTH SEVERITY TIME`, `-` for what is
    /// unknown.
    let verifications: [String]
    var ignored = 0
    /// Verifications that nothing tells from a second delivery: their transport lost `insertId` or the time.
    var unidentified = 0
    /// By service name: the name under which the function is shown.
    var labels: [String: String] = [:]
    /// Entries of generation 2's standard-error log.
    var errorStreamEntries = 0
    var problems: [Problem.Kind] = []

    var testDescription: String { file }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/transports").standardizedFileURL

    var bytes: [UInt8] {
        get throws { try [UInt8](Data(contentsOf: TransportFixture.folder.appending(path: file))) }
    }

    /// How a verification reads in ``verifications``.
    static func line(_ found: Scan.Found) -> String {
        let identity = found.identity
        let instant = found.instant.map { "\($0)" } ?? "-"
        return "\(identity.project)/\(identity.region)/\(identity.name) "
            + "\(identity.generation.map { "\($0.rawValue)" } ?? "-") \(found.app.name)/\(found.auth.name) "
            + "\(found.severity == .debug ? "debug" : found.severity == .info ? "info" : "other") \(instant)"
    }

    /// Lines of entries that were recorded in several transports, each written once.
    static let passed = "PROJ/us-central1/getcarouselads 2 MISSING/MISSING debug 2025-08-25T13:32:04.715384Z"
    static let failed = "PROJ/us-central1/getcarouselads 2 INVALID/VALID other 2025-08-25T13:32:05.0012Z"
    static let older = "P/europe-west1/orch-test-1 1 MISSING/MISSING info 2023-03-01T10:00:00.384721526Z"
    static let newer = "P/europe-west1/orch-test-1 1 VALID/VALID debug 2023-03-01T10:00:01.5Z"
}
