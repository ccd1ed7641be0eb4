public import Verifications

/// Records that could not be read as verifications, and may have been some: malformed, oversized and unexpected ones.
public struct UncountedRecords: Hashable, Sendable {
    private struct Part: Hashable {
        let newest: Instant?
        let records: Int
    }

    private var parts: [Part] = []

    public init() {}

    /// Adds the records of one input, whose newest dated verification tells which days they belong to.
    ///
    /// - Parameters:
    ///   - records: How many.
    ///   - newest: Nil when nothing in the input is dated, and for files: they count whatever the window.
    public mutating func add(_ records: Int, newest: Instant?) {
        if records > 0 { parts.append(Part(newest: newest, records: records)) }
    }

    /// How many may belong to a window.
    func records(in window: Window) -> Int {
        parts.reduce(0) { sum, part in
            part.newest.map { window.days.contains($0.day) } ?? true ? sum + part.records : sum
        }
    }
}
