package import Verifications

/// What is happening now: the last hour of each function.
package struct Activity: Sendable {
    /// Where the hour ends.
    package let end: Instant
    /// The oldest verification of the log; nil without one.
    private let oldest: Instant?
    package let functions: [FunctionIdentity: Hour]

    package struct Hour: Sendable {
        /// The last 60 minutes, the newest last.
        package let minutes: [MinuteCounts]
        /// The same hour of the day before.
        package let yesterday: MinuteCounts
        package let callers: CallerDay

        /// The newest minutes together.
        package func last(_ count: Int) -> MinuteCounts {
            minutes.suffix(count).reduce(into: MinuteCounts()) { $0.merge($1) }
        }
    }

    /// Takes what was counted of single minutes; see ``MinuteRange``.
    package init(_ tally: RawTally, _ range: MinuteRange, oldest: Instant?) {
        end = range.end
        self.oldest = oldest
        functions = tally.functions.compactMapValues { function in
            let part = function[function.believed]
            var minutes = part.minutes
            minutes.merge(function.minutes)
            guard !minutes.isEmpty else { return nil }
            let callers = part.callers.days.values.reduce(into: CallerDay()) { $0.merge($1) }
            return Hour(
                minutes: Array(minutes.prefix(MinuteRange.minutes)),
                yesterday: minutes.dropFirst(MinuteRange.minutes).reduce(into: MinuteCounts()) { $0.merge($1) },
                callers: callers)
        }
    }
}

extension Activity {
    /// False where the log does not reach back to the same hour of the day before.
    package var knowsYesterday: Bool {
        let start = end.adding(seconds: -Instant.secondsPerDay - Int64(MinuteRange.minutes) * 60)
        return oldest.map { $0 <= start } ?? false
    }

    /// How many of the last minutes the log covers, at least 1.
    package func covered(_ minutes: Int) -> Double {
        min(Double(minutes), max(1, oldest.map { Double(end.seconds - $0.seconds) / 60 } ?? 1))
    }
}

/// What one minute, or several together, had of a function.
package struct MinuteCounts: Hashable, Sendable {
    package var verifications = StatusMatrix()
    /// Rows of the request log that were answered 401.
    package var unauthenticated = 0

    package init() {}

    package mutating func merge(_ other: MinuteCounts) {
        verifications.merge(other.verifications)
        unauthenticated += other.unauthenticated
    }

    /// Admitted requests, and the blocked ones among them.
    package func counts(_ admission: Admission) -> (requests: Int, blocked: Int) {
        (verifications.admitted(admission), verifications.blocked(admission))
    }
}

/// The minutes that are counted one by one: those of an hour, then those of the same hour of the day before.
package struct MinuteRange: Sendable {
    package let end: Instant

    package static let minutes = 60

    package init(end: Instant) { self.end = end }

    /// The last hour; like each minute, of whole seconds.
    package var hour: TimeRange {
        let end = end.seconds + 1
        return TimeRange(since: Instant(seconds: end - Int64(MinuteRange.minutes) * 60), until: Instant(seconds: end))
    }

    /// The minute of an instant; nil for one outside.
    package func place(of instant: Instant) -> Int? {
        let age = end.seconds - instant.seconds
        let hour = Int64(MinuteRange.minutes) * 60
        let day = Instant.secondsPerDay
        guard 0..<hour ~= age || day..<day + hour ~= age else { return nil }
        return (age < hour ? 1 : 2) * MinuteRange.minutes - 1 - Int(age % day / 60)
    }
}

extension [MinuteCounts] {
    /// Changes a minute; there are none until the first is changed.
    package mutating func update(_ place: Int, _ change: (inout MinuteCounts) -> Void) {
        if isEmpty { self = Array(repeating: MinuteCounts(), count: 2 * MinuteRange.minutes) }
        change(&self[place])
    }

    package mutating func merge(_ other: [MinuteCounts]) {
        guard !isEmpty else { return self = other }
        for (place, counts) in other.enumerated() { self[place].merge(counts) }
    }
}
