internal import Platform
package import Verifications

/// The requests of a unit over the last weeks, cut into stretches of constant share; and whether it fails now.
///
/// `Documentation.docc/Internals/segments.md` has the text.
package struct Segments: Hashable, Sendable {
    /// A stretch of hours in which the share that is blocked does not change.
    package struct Segment: Hashable, Sendable {
        package let start: Instant
        /// The beginning of the next one; nil for the last.
        package let end: Instant?
        /// Persons where addresses show them, else requests.
        package let requests: Int
        package let blocked: Int
        /// Different addresses of what is blocked.
        package let addresses: Int
        /// True where more than twice the share of the calmest day or longer is blocked, beyond chance.
        package let isRaised: Bool

        package var share: Double { requests > 0 ? Double(blocked) / Double(requests) : 0 }
    }

    /// In order; empty without a request.
    package let all: [Segment]
    /// B, the beginning of the raised segments that reach T; nil where the last one is not raised.
    package let since: Instant?
    /// The share that has been blocked since then; 0 without.
    package let share: Double
    /// True where the unit fails now: the alarm.
    package let isFailing: Bool

    var isClean: Bool { all.last?.blocked == 0 }

    /// The shortest calm, in hours.
    private static let leastCalm = 24
    /// How many times the share of the calm is raised.
    private static let timesCalm = 2

    init(_ counts: UnitCounts, limit: Double) {
        let dispersion = counts.dispersion
        let runs = Segmentation.cut(counts.requests, counts.blocked, dispersion: dispersion)
        let calm = runs.dropLast().filter { $0.end - $0.begin >= Segments.leastCalm }.min { $0.share < $1.share }
        func isRaised(_ run: HourRun) -> Bool {
            guard let calm else { return false }
            return run.blocked * calm.requests > Segments.timesCalm * calm.blocked * run.requests
                && Segmentation.gain(run, calm, dispersion: dispersion) >= Segmentation.penalty
        }
        func instant(_ hour: Int) -> Instant { counts.start.adding(seconds: Int64(hour) * 3600) }
        all = runs.enumerated().map { place, run in
            let addresses = Set(
                counts.blockedAddresses.lazy.filter { run.begin <= $0.hour && $0.hour < run.end }.map(\.address))
            return Segment(
                start: instant(run.begin), end: place + 1 < runs.count ? instant(run.end) : nil,
                requests: run.requests, blocked: run.blocked, addresses: addresses.count, isRaised: isRaised(run))
        }
        let raised = runs.reversed().prefix(while: isRaised)
        guard let first = raised.last else {
            (since, share, isFailing) = (nil, 0, false)
            return
        }
        let sum = HourRun(
            begin: first.begin, end: counts.requests.count, requests: raised.reduce(0) { $0 + $1.requests },
            blocked: raised.reduce(0) { $0 + $1.blocked })
        (since, share) = (instant(sum.begin), sum.share)
        isFailing = Alarm(counts: counts, dispersion: dispersion, run: sum, limit: limit).holds
    }
}

/// Whether what has been raised up to T shows that people are refused now.
struct Alarm {
    let counts: UnitCounts
    /// φ.
    let dispersion: Double
    /// From the beginning of the raised segments to T.
    let run: HourRun
    let limit: Double

    static let fewestPeople = 4
    /// With few addresses in all, or with shared ones.
    private static let fewestOfFew = 2
    private static let fewestBlocked = 6
    private static let leastPartOfShared = 0.2
    private static let confidence = 0.99
    /// A higher share ends no sooner.
    private static let highestShare = 0.6
    private static let fewestUsual = 4.0

    /// b/φ of n/φ: what independent requests would have shown.
    private var effective: (requests: Double, blocked: Double) {
        (Double(run.requests) / dispersion, Double(run.blocked) / dispersion)
    }

    var holds: Bool { isOfMany && isBeyondLimit && !isOver && !isUsual }

    private var isOfMany: Bool {
        if !counts.countsPersons {
            let hours = counts.blocked[run.begin...].count { $0 > 0 }
            guard effective.blocked >= Double(Alarm.fewestPeople), hours >= 2 else { return false }
        }
        guard counts.hasAddresses else { return true }
        let people = Set(counts.blockedAddresses.lazy.filter { run.begin <= $0.hour }.map(\.address))
        if people.count >= Alarm.fewestPeople { return true }
        guard run.blocked >= Alarm.fewestBlocked else { return false }
        if counts.hasFewAddresses, people.count >= Alarm.fewestOfFew { return true }
        let before = counts.requests[..<run.begin].reduce(0, +)
        let ofShared = people.reduce(0) { sum, address in
            (counts.shared[address] ?? []).reduce(sum) { $1.hour < run.begin ? $0 + $1.requests : $0 }
        }
        return ofShared > 0 && Double(ofShared) >= Alarm.leastPartOfShared * Double(before)
    }

    private var isBeyondLimit: Bool {
        let (requests, blocked) = effective
        return blocked > limit * requests
            && ClopperPearson.lower(blocked: blocked, requests: requests, confidence: Alarm.confidence) >= limit
    }

    /// So many have been served since the last one that was blocked that more would have been.
    private var isOver: Bool {
        let last = counts.blocked.lastIndex { $0 > 0 } ?? run.begin
        let served = Double(counts.requests[(last + 1)...].reduce(0, +))
        return served / dispersion * log(1 - min(run.share, Alarm.highestShare)) <= log(1 - Alarm.confidence)
    }

    /// The same hours a week before, or those of the week before, were as bad: a job, a quota.
    private var isUsual: Bool {
        let hours = run.begin..<counts.requests.count
        return [(longest: 72, days: [7]), (24, Array(1...7))].contains { longest, days in
            guard hours.count <= longest else { return false }
            let same = days.flatMap { day in hours.map { $0 - 24 * day } }.filter { $0 >= 0 }
            let (requests, blocked) = same.reduce((0, 0)) { ($0.0 + counts.requests[$1], $0.1 + counts.blocked[$1]) }
            return Double(blocked) / dispersion >= Alarm.fewestUsual
                && 2 * blocked * run.requests >= run.blocked * requests
        }
    }
}
