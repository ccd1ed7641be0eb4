package import Verifications

/// A part of the log may be missing, and with it blocked requests.
package enum Completeness: Hashable, Sendable {
    /// Days of the window on which the project has no verification, ascending, and the first day of its log.
    case coverageGap([Day], logBegins: Day?)
    /// Records that could not be counted might be blocked requests, and with them the upper bound exceeds the maximum.
    case uncounted(records: Int, upper: Double, limit: Double)

    var facts: Reason.Facts {
        switch self {
        case .coverageGap(let days, _):
            .init("coverage-gap", .incomplete(.everything), value: Double(days.count))
        case .uncounted(let records, _, _):
            .init("uncounted", .incomplete(.everything), value: Double(records))
        }
    }
}

extension Completeness {
    static func findGap(_ rule: Rule) -> [Reason] {
        guard rule.numbers.assumeComplete != .everything, let window = rule.window, let project = rule.project else {
            return []
        }
        var gaps = project.gaps(in: window)
        // A function whose rows are there was not called on a day of which only others have rows; and had it been, its
        // unlogged requests would count.
        if rule.proof.isComplete { gaps.removeAll(where: rule.input.rowDays.contains) }
        return gaps.isEmpty ? [] : [.completeness(.coverageGap(gaps, logBegins: project.firstDay))]
    }

    static func findUncounted(_ rule: Rule) -> [Reason] {
        let (records, limit) = (rule.uncounted, rule.numbers.maxBlocked)
        guard records > 0, rule.numbers.assumeComplete != .everything else { return [] }
        let upper = rule.period.upper(adding: Double(records))
        return upper > limit ? [.completeness(.uncounted(records: records, upper: upper, limit: limit))] : []
    }
}

/// Records that could not be read as verifications, and may have been some: malformed, oversized and unexpected ones.
package struct UncountedRecords: Hashable, Sendable {
    private struct Part: Hashable {
        let newest: Instant?
        let records: Int
    }

    private var parts: [Part] = []

    package init() {}

    /// Adds the records of one input, whose newest dated verification shows which days they belong to.
    ///
    /// - Parameters:
    ///   - records: How many.
    ///   - newest: Nil when nothing in the input is dated, and for files: they count whatever the window.
    package mutating func add(_ records: Int, newest: Instant?) {
        if records > 0 { parts.append(Part(newest: newest, records: records)) }
    }

    /// How many may belong to a window.
    func records(in window: Window) -> Int {
        parts.reduce(0) { sum, part in
            part.newest.map { window.days.contains($0.day) } ?? true ? sum + part.records : sum
        }
    }
}
