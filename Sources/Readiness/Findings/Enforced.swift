package import Verifications

/// Enforcement that is on already: by policy, or else by what the log shows.
package struct Enforced: Hashable, Sendable {
    package enum Source: String, Sendable { case policy, log }

    package let source: Source
    /// The day it was switched on; of the log the first that shows it, nil where all of its rows do.
    package let since: Day?
    /// What an entry of the policy has to say: ``since``, or the day before the log's first answer that shows it.
    package let entryDay: Day

    /// The part of some days in which it is on: of the day on which it was switched on, a part was before.
    func days(of window: Window) -> Window? {
        Window(from: max(window.from, since?.advanced(by: 1) ?? window.from), to: window.to)
    }

    init(policy day: Day) { (source, since, entryDay) = (.policy, day, day) }

    init(log day: Day, isBefore: Bool) {
        (source, since, entryDay) = (.log, isBefore ? nil : day, isBefore ? day.advanced(by: -1) : day)
    }
}

/// Answers to requests that enforcement would refuse, by day: whether it does.
///
/// A handler that itself answers 401 to some does not make a function enforced, nor does a filter that drops the SDK's
/// line "Allowing request…". A function that too few people without a token call stays unknown.
struct EnforcementProof: Sendable {
    private struct Answers {
        var requests = 0
        var withRow = 0
        var hasRows = false
        var signs = EnforcementSigns()

        /// True for days that together show that enforcement is on, as long as they do not ``allow``.
        var showEnforcement: Bool {
            let answered = signs.unverifiedRefused + signs.unverifiedOther
            return signs.missingRefused.count + signs.missingOther >= EnforcementSigns.fewestRefusals
                && 20 * signs.unverifiedRefused >= 19 * answered && signs.verifiedOther > 0
                && (withRow >= requests - 1 || 20 * withRow >= 19 * requests)
        }

        /// True when a request without a valid token got through.
        var allow: Bool { signs.unverifiedAccepted > 0 || signs.allowed.count > 0 }
    }

    /// Ascending.
    private let days: [(day: Day, answers: Answers)]

    /// Nil where too little was refused to show anything.
    init?(_ callers: FunctionCallers, _ tally: FunctionTally) {
        let refused = callers.days.values.reduce(0) { $0 + $1.enforcement.unverifiedRefused }
        guard refused >= EnforcementSigns.fewestRefusals else { return nil }
        var days: [Day: Answers] = [:]
        for day in tally.days { days[day.day, default: Answers()].requests = day.counts.blocked(.notRefused) }
        for (day, found) in callers.days {
            days[day, default: Answers()].withRow = found.signedIn.blockedJoined + found.signedOut.blockedJoined
            days[day, default: Answers()].hasRows = found.rows > 0
            days[day, default: Answers()].signs = found.enforcement
        }
        self.days = days.sorted { $0.key < $1.key }.map { (day: $0.key, answers: $0.value) }
    }

    /// What the days of a stretch show, up to its last.
    func shown(in stretch: Window) -> Enforced? {
        let known = days.prefix { $0.day <= stretch.to }
        var sum = Answers()
        var first: Int?
        for index in known.indices.reversed() where known[index].day >= stretch.from {
            sum.requests += known[index].answers.requests
            sum.withRow += known[index].answers.withRow
            sum.signs.merge(known[index].answers.signs)
            if sum.allow { break }
            if sum.showEnforcement { first = index }
        }
        guard let first else { return nil }
        let refusing = known[first...].first { $0.answers.signs.missingUnauthenticated > 0 }
        let isBefore = refusing == nil || !known[..<first].contains { $0.answers.hasRows }
        return Enforced(log: refusing?.day ?? known[first].day, isBefore: isBefore)
    }
}

/// An entry that the policy lacks: by the log the function is enforced.
package struct MissingEntry: Hashable, Sendable {
    package let match: String
    /// Nil where the name alone, or the name and the project, tell the function from all others.
    package let region: String?
    package let project: String?
    package let enforced: Day

    /// Nil for a function that is not enforced, or by policy, and for a name that would be a pattern for others.
    init?(_ identity: FunctionIdentity, _ name: String, _ assessment: Assessment, places: [String: Set<Place>]) {
        guard let enforced = assessment.enforced, enforced.source == .log, !name.contains(where: "*?".contains)
        else { return nil }
        let others = places[FunctionIdentity.normalized(name)] ?? []
        let own = Place(identity)
        match = name
        project = others.contains { $0.project != own.project } ? identity.project : nil
        region = others.contains { $0.project == own.project && $0.region != own.region } ? identity.region : nil
        self.enforced = enforced.entryDay
    }

    struct Place: Hashable {
        let project: ExactName
        let region: ExactName

        init(_ identity: FunctionIdentity) {
            (project, region) = (ExactName(identity.project), ExactName(identity.region))
        }
    }
}

extension Judge {
    /// Where there are functions of each name that a pattern can match, seen or deployed.
    var placesOfNames: [String: Set<MissingEntry.Place>] {
        var places: [String: Set<MissingEntry.Place>] = [:]
        for (identity, name) in knownFunctions {
            for name in Set([name, identity.name].map(FunctionIdentity.normalized)) {
                places[name, default: []].insert(MissingEntry.Place(identity))
            }
        }
        return places
    }
}
