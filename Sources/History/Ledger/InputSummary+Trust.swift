internal import Verifications

/// How far what was read of an input can be believed.
extension InputSummary {
    /// True when every record could be read as it stands.
    var isSound: Bool {
        faults.isEmpty && malformed == 0 && oversized == 0 && problems.isEmpty
    }

    /// False when compressed data may have come out as other data than was put in.
    ///
    /// A stream that is cut off gives what it was made from, up to there; one whose check sum differs, or that breaks
    /// off in the middle, may have given records that nobody wrote.
    var isTrustworthy: Bool {
        !problems.entries.contains { problem in
            switch problem.kind {
            case .corruptGzip, .checksumMismatchGzip, .lengthMismatchGzip, .corruptZlib, .checksumMismatchZlib: true
            default: false
            }
        }
    }
}
