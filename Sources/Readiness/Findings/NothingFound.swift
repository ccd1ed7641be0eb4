import Verifications

/// The likeliest reason why a run has no verification to show, from what else it saw.
package enum NothingFound: Hashable, Sendable {
    case noRecord
    case emptyResult
    case filtered
    case ignored(count: Int)
    case unusable(count: Int)
    /// Nil if the number is unknown.
    case unread(requests: Int?)
    case errorStreamOnly(records: Int)
    case otherRecords(count: Int)

    /// Nil when there is a verification to show, or when an input that could not be read is the reason.
    package init?(_ summary: Summary) {
        let input = summary.input
        guard summary.functions.allSatisfy({ $0.totals.total == 0 }) else { return nil }
        let isMistyped = summary.functions.contains { !$0.isFunction }
        if input.records == 0 {
            guard input.faults.isEmpty else { return nil }
            self = input.bytesDecompressed > 0 ? .emptyResult : .noRecord
        } else if input.filtered > 0 {
            // The row of a name that no function has says more.
            if isMistyped { return nil }
            self = .filtered
        } else if input.ignored > 0 {
            self = .ignored(count: input.ignored)
        } else if input.malformed + input.oversized > 0 {
            self = .unusable(count: input.malformed + input.oversized)
        } else if !input.unread.isEmpty {
            self = .unread(requests: input.unread.total)
        } else if summary.projects.values.contains(where: \.showsFailures) {
            self = .errorStreamOnly(records: input.records)
        } else {
            self = .otherRecords(count: input.records)
        }
    }
}
