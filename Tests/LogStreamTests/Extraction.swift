import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What becomes of one record.
enum Extraction: Equatable {
    case notVerification
    case malformed
    case verification(Scan.Found)
    /// More than one thing, or none.
    case contradictory

    /// Reads one line.
    init(_ line: String, isStrict: Bool = false) {
        var options = ScanOptions()
        options.isStrict = isStrict
        let scan = Scan.pieces([Array(line.utf8)], options: options)
        switch (scan.found.count, scan.summary.malformed, scan.summary.records) {
        case (0, 0, 1): self = .notVerification
        case (0, 1, 1): self = .malformed
        case (1, 0, 1): self = .verification(scan.found[0])
        default: self = .contradictory
        }
    }

    init(_ entry: EntryText) {
        self.init(entry.text)
    }

    var found: Scan.Found? {
        guard case .verification(let found) = self else { return nil }
        return found
    }

    var identity: FunctionIdentity? { found?.identity }

    /// App Check and Auth status, as `VALID/MISSING`.
    var statuses: String? { found.map { "\($0.app.name)/\($0.auth.name)" } }
}

/// `project/region/name`, and the generation.
func identity(_ path: String, _ generation: Generation?) -> FunctionIdentity {
    let parts = path.split(separator: "/").map(String.init)
    return FunctionIdentity(project: parts[0], region: parts[1], name: parts[2], generation: generation)
}
