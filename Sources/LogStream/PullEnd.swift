internal import Verifications

/// Signs that a source ends where the pull stopped, not where the log ends.
///
/// ```
/// {"entries":[…],"nextPageToken":"EAE4"}       the last page that a script has asked for
/// [{…},{…}]                                    the 10,000 newest entries, with gcloud logging read --limit=10000
/// {"insertId":"68ac65d4000aea                  a file that was cut, or that is still being written
/// ```
///
/// Entries come newest first, so the earlier days are missing.
struct PullEnd {
    var endsInRecord = false
    private(set) var oldest: Instant?
    private var namesNextPage = false
    private var isLimited = false
    /// In the current array: its first verification, its last one so far, and whether times never increase.
    private var first: Instant?
    private var last: Instant?
    private var isDescending = true

    private static let usualLimits: Set<Int> = [1_000, 5_000, 10_000, 20_000, 50_000]

    var isCut: Bool { namesNextPage || isLimited }

    mutating func take(_ instant: Instant) {
        oldest = min(oldest ?? instant, instant)
        first = first ?? instant
        if let last, last < instant { isDescending = false }
        last = instant
    }

    mutating func beginArray() { (first, last, isDescending) = (nil, nil, true) }

    mutating func endArray(elements: Int) {
        guard PullEnd.usualLimits.contains(elements), isDescending, let first, let last else { return }
        if last < first { isLimited = true }
    }

    mutating func endPage(namesNext: Bool) { namesNextPage = namesNext }
}

extension RecordReader {
    mutating func handlePageEnd(namesNext: Bool) { current.pull.endPage(namesNext: namesNext) }
    mutating func handleArrayStart() { current.pull.beginArray() }
    mutating func handleArrayEnd(elements: Int) { current.pull.endArray(elements: elements) }

    mutating func reportEnd(of input: LogInput) {
        if current.pull.isCut {
            report(.cutPull, ProblemWording.cutPull)
            summary.unread.cutAt = current.pull.oldest
        }
        // The end of a damaged stream is not a record.
        guard current.pull.endsInRecord, summary.faults.isEmpty, input.isFile else { return }
        report(.incompleteRecord, ProblemWording.incompleteRecord)
    }
}
