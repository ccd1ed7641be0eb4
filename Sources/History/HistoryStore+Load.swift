internal import GRDB
public import Readiness
public import Verifications

/// All that a store holds, as one pass over all its inputs would have given it.
public struct StoredHistory: Sendable {
    public let tally: Tally
    /// What was read over the nights; the faults of the past are none of today.
    public let input: InputSummary
}

extension HistoryStore {
    /// Reads everything, as it stands at one moment.
    ///
    /// - Parameters:
    ///   - horizon: Verifications after it do not decide what is the newest one: the clock plus 24 hours.
    ///   - limit: How many functions, and how many projects, keep a name.
    /// - Returns: The counts, and what was read for them.
    /// - Throws: ``HistoryFailure`` when anything read is not what was written.
    public func load(horizon: Instant, limit: Int) throws(HistoryFailure) -> StoredHistory {
        try attempt {
            try queue.read { db in
                let register = try Register(db)
                try register.verify()
                var tally = try register.tally(limit: limit)
                if let newest = tally.newest(notAfter: horizon, noted: register.settings.newest) {
                    tally.note(newest: newest)
                }
                return StoredHistory(tally: tally, input: try register.inputSummary(of: tally))
            }
        }
    }
}

extension Register {
    /// What was read for a tally.
    func inputSummary(of tally: Tally) throws -> InputSummary {
        var sum = InputSummary()
        for row in try inputs() {
            var summary = row.summary
            // What is wrong with an input that another one stands for, or that nothing can be added to any more, is
            // wrong no longer, or told there.
            if row.replacedBy != nil || settings.sealedBefore.map({ row.ingestedAt.day < $0 }) ?? false {
                summary.problems = ProblemLog()
                summary.malformed = 0
                summary.oversized = 0
            }
            sum.merge(summary)
        }
        let kept = tally.functions.values.reduce(0) { $0 + $1.totals.total }
        // Days that were pruned: verifications outside the time that counts.
        sum.filtered += max(0, sum.verifications - kept)
        sum.verifications = kept
        sum.undated = tally.functions.values.reduce(0) { $0 + $1.undated.total }
        sum.faults = []
        return sum
    }
}

extension Tally {
    /// The newest dated verification that is not later than an instant.
    ///
    /// - Parameters:
    ///   - horizon: The instant.
    ///   - noted: What was the newest one when it was read: it is needed where a day ends behind the horizon.
    /// - Returns: Nil when nothing is dated.
    fileprivate func newest(notAfter horizon: Instant, noted: Instant?) -> Instant? {
        var newest = noted.flatMap { $0 <= horizon && $0.day == horizon.day ? $0 : nil }
        for function in functions.values {
            for day in function.days.reversed() {
                let last = Instant(day: day.day, nanosecondOfDay: day.lastNanosecond)
                guard last <= horizon else { continue }
                newest = max(newest ?? last, last)
                break
            }
        }
        return newest
    }
}
