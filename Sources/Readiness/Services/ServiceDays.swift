package import Verifications

/// Turns what App Check's metric counts into the days and hours of the one rule: the only place that knows services.
extension ServiceCounts {
    /// The newest hours of an answer arrive late, in seconds.
    private static let delay: Int64 = 6 * 3600
    private static let hour: Int64 = 3600

    /// An evaluator for the services of each project, which are judged as of the last hour that is known to be whole, or
    /// an earlier `asOf`.
    package func evaluators(_ rules: PolicyRules, asOf: Instant?, clock: Instant?, range: TimeRange) -> [Evaluator] {
        projects.sorted().map { evaluator($0, rules, asOf: asOf, clock: clock, range) }
    }

    private func evaluator(
        _ project: ExactName, _ rules: PolicyRules, asOf: Instant?, clock: Instant?, _ range: TimeRange
    ) -> Evaluator {
        let own = series.filter { $0.key.project == project }
        let newest = ServiceCounts.newest(own)
        let last = min(newest, asOf ?? newest, range.until?.adding(nanoseconds: -1) ?? newest)
        var services: [FunctionIdentity: [Instant: ServiceHour]] = [:]
        var apps: [FunctionIdentity: [String: Int]] = [:]
        for (key, counts) in own {
            let identity = FunctionIdentity(service: key.service.text, project: project.text)
            let security = ServiceFacts.Security(rawValue: key.security.text) ?? .other
            let cell = ServiceHour.Cell(security: security, isDenied: key.result == "DENY")
            for (start, count) in counts where count.end.adding(nanoseconds: -1) <= last {
                guard range.since.map({ $0 <= start }) ?? true else { continue }
                let seconds = count.end.seconds - start.seconds
                let hour = start.adding(seconds: -(start.seconds - (start.seconds / 3600) * 3600))
                services[identity, default: [:]][hour, default: ServiceHour(start: hour)]
                    .add(count.requests, cell, isCoarse: seconds > ServiceCounts.hour)
                if security == .valid, key.app != "UNKNOWN" {
                    apps[identity, default: [:]][key.app.text, default: 0] += count.requests
                }
            }
        }
        let modes = modes(of: project, apps.values.flatMap(\.keys))
        for (identity, mode) in modes where mode.isCounted { services[identity] = services[identity] ?? [:] }
        let days = Set(services.values.flatMap { $0.keys.map(\.day) }).sorted()
        var (tally, facts) = (Tally(), [FunctionIdentity: ServiceFacts]())
        for (identity, hours) in services {
            let found = ServiceHours(identity, hours.values.sorted { $0.start < $1.start }, asOf: last)
            tally.add(found.tally(modes[identity]), for: identity)
            facts[identity] = found.facts(apps[identity] ?? [:], modes[identity], projectDays: days)
        }
        let unread = incomplete.contains(project) ? UnreadRecords(nil, newest: nil) : UnreadRecords()
        return Evaluator(services: tally, facts, rules: rules, asOf: last, clock: clock, unread: unread)
    }

    /// The end of the newest hour, or longer period, that lies six hours before the last one's.
    private static func newest(_ series: [Series: [Instant: Count]]) -> Instant {
        let ends = series.values.flatMap { $0.map { (start: $0.key, end: $0.value.end) } }
        let limit = (ends.map(\.end).max() ?? Instant(seconds: 0)).adding(seconds: -delay)
        let isCoarse = ends.contains { $0.end.seconds - $0.start.seconds > hour }
        let coarse = ends.map(\.end).filter { $0 <= limit }.max() ?? limit
        let whole = isCoarse ? coarse : Instant(seconds: limit.seconds / hour * hour)
        return whole.adding(nanoseconds: -1)
    }

    /// The settings of a project's services: they name its number, which apps' names show; the newest of each.
    private func modes(of project: ExactName, _ apps: [String]) -> [FunctionIdentity: Mode] {
        let numbers = Set(apps.compactMap { $0.split(separator: ":").dropFirst().first.map { ExactName(String($0)) } })
        let isAlone = projects.count == 1 && Set(modes.map(\.project)).count == 1 && numbers.isEmpty
        let own = modes.filter { isAlone || $0.project == project || numbers.contains($0.project) }
        let inOrder = own.sorted { ($0.time, $0.isEnforced ? 1 : 0) < ($1.time, $1.isEnforced ? 1 : 0) }
        let found = inOrder.map { (FunctionIdentity(service: $0.service.text, project: project.text), $0) }
        return Dictionary(found) { _, newer in newer }
    }
}

/// The requests of a service in one hour, or in a longer period that begins in it.
struct ServiceHour {
    struct Cell: Hashable {
        let security: ServiceFacts.Security
        let isDenied: Bool
    }

    let start: Instant
    private(set) var cells: [Cell: Int] = [:]
    private(set) var isCoarse = false

    init(start: Instant) { self.start = start }

    mutating func add(_ count: Int, _ cell: Cell, isCoarse: Bool) {
        cells[cell, default: 0] += count
        self.isCoarse = self.isCoarse || isCoarse
    }
}

extension ServiceHour.Cell {
    /// The token's status; a denied request is blocked, regardless of its token.
    var app: TokenStatus {
        switch security {
        case .valid, .consumed: isDenied ? .other : .valid
        case .invalid: .invalid
        case .outdatedClient, .unknownOrigin: .missing
        case .other: .other
        }
    }

    func auth(isLoadedByURL: Bool) -> TokenStatus { security == .unknownOrigin && !isLoadedByURL ? .missing : .valid }

    /// What shows whether enforcement is on; nil for requests that show nothing.
    var sign: EnforcementSign.Line? {
        if isDenied { return .refused }
        return switch security {
        case .invalid, .outdatedClient: .allowing
        case .unknownOrigin, .other: .exempt
        case .valid, .consumed: nil
        }
    }
}

/// The hours of one service, and what the rule makes of them.
private struct ServiceHours {
    let identity: FunctionIdentity
    let hours: [ServiceHour]
    let asOf: Instant

    init(_ identity: FunctionIdentity, _ hours: [ServiceHour], asOf: Instant) {
        (self.identity, self.hours, self.asOf) = (identity, hours, asOf)
    }

    private var isCoarse: Bool { hours.contains(where: \.isCoarse) }

    func facts(_ apps: [String: Int], _ mode: ServiceCounts.Mode?, projectDays: [Day]) -> ServiceFacts {
        var facts = ServiceFacts()
        facts.apps = apps.sorted { ($1.value, ExactName($0.key)) < ($0.value, ExactName($1.key)) }
            .map { ServiceFacts.App(name: $0.key, requests: $0.value) }
        (facts.mode, facts.projectDays, facts.asOf) = (mode, projectDays, asOf)
        facts.isEnforcedByGoogle = identity.isEnforcedByGoogle
        for hour in hours {
            for (cell, count) in hour.cells {
                let security = cell.security == .consumed && cell.isDenied ? .other : cell.security
                facts.days[hour.start.day, default: [:]][security, default: 0] += count
            }
        }
        facts.hours = isCoarse ? [] : hours.map(hourOfDay)
        return facts
    }

    private func hourOfDay(_ hour: ServiceHour) -> ServiceFacts.Hour {
        var found = ServiceFacts.Hour(start: hour.start)
        for (cell, count) in hour.cells {
            let blocked = cell.app == .valid ? 0 : count
            found.all.requests += count
            found.all.blocked += blocked
            guard cell.auth(isLoadedByURL: identity.isLoadedByURL) == .valid else { continue }
            found.signedIn.requests += count
            found.signedIn.blocked += blocked
        }
        return found
    }

    func tally(_ mode: ServiceCounts.Mode?) -> FunctionTally {
        let setting = self.setting(mode)
        // Where the setting changed, a part begins.
        let spells = Set(self.spells + [setting?.hour].compactMap(\.self)).sorted()
        var days: [DayTally] = []
        var parts: [(day: Day, parts: [(part: RevisionPart, counts: StatusMatrix)])] = []
        var recent = RecentRequests()
        for hour in hours {
            let number = max(1, spells.partitioningIndex { hour.start < $0 })
            let (day, revision) = (hour.start.day, Revision(spell: number))
            var (counts, blocked, signedInBlocked) = (StatusMatrix(), BlockedTimes(), BlockedTimes())
            var part = RevisionPart(revision, beginning: number)
            if let last = parts.last, last.day == day, let own = last.parts.last, own.part.beginning == number {
                part = own.part
            }
            for (cell, count) in hour.cells {
                let (app, auth) = (cell.app, cell.auth(isLoadedByURL: identity.isLoadedByURL))
                counts[app, auth] += count
                if app != .valid {
                    blocked.add(nanosecond: hour.start.nanosecondOfDay)
                    if auth == .valid { signedInBlocked.add(nanosecond: hour.start.nanosecondOfDay) }
                }
                // A valid token that is denied shows a broken service.
                let status: TokenStatus = cell.security == .valid ? .valid : app
                part.add(
                    count, at: hour.start.nanosecondOfDay, app: status, auth: auth,
                    answer: cell.security != .valid ? nil : cell.isDenied ? .unauthenticated : .success,
                    sign: cell.sign.flatMap { EnforcementSign(answer: nil, line: $0, app: app, auth: auth) })
            }
            let end = hour.isCoarse ? Instant.nanosecondsPerDay : hour.start.nanosecondOfDay + 3_600_000_000_000
            let tally = DayTally(
                day: day, counts: counts, nanoseconds: hour.start.nanosecondOfDay...(end - 1), blocked: blocked,
                signedInBlocked: signedInBlocked)
            if days.last?.day == day { days[days.count - 1].merge(tally) } else { days.append(tally) }
            if parts.last?.day != day { parts.append((day, [])) }
            let place = parts.count - 1
            if let own = parts[place].parts.last, own.part.beginning == number {
                counts.merge(own.counts)
                parts[place].parts.removeLast()
            }
            parts[place].parts.append((part, counts))
            if !hour.isCoarse { add(hour, revision, to: &recent) }
        }
        var tally = FunctionTally(
            days: days, undated: StatusMatrix(), pooledDays: StatusMatrix(), pooledFirst: nil, otherSeverities: [],
            label: nil)
        for (day, own) in parts {
            tally.keep(
                own.map { element in
                    var part = element.part
                    if own.count > 1 { part.keep(element.counts) }
                    return part
                }, of: day)
        }
        tally.recent = recent
        tally.addNewest([Revision(spell: max(1, spells.count))])
        tally.setting = setting
        return tally
    }

    private func add(_ hour: ServiceHour, _ revision: Revision, to recent: inout RecentRequests) {
        var sums: [Bool: RecentRequests.HourSum] = [:]
        for (cell, count) in hour.cells {
            let isSignedIn = cell.auth(isLoadedByURL: identity.isLoadedByURL) == .valid
            let sort = RecentRequests.Sort(isSignedIn: isSignedIn, client: nil, revision: revision)
            var sum = sums[isSignedIn] ?? RecentRequests.HourSum(start: hour.start, sort: sort)
            sum.all.requests += count
            if cell.app != .valid {
                sum.all.blocked += count
                if cell.isDenied { sum.refused += count }
                if cell.app == .invalid {
                    sum.invalidBlocked += count
                    if cell.isDenied { sum.invalidRefused += count }
                }
            }
            sums[isSignedIn] = sum
        }
        for sum in [sums[false], sums[true]].compactMap(\.self) { recent.add(sum, before: asOf) }
    }

    // MARK: Enforcement

    private typealias Signs = (start: Instant, refused: Int, served: Int)

    /// As many of the newest hours decide.
    private static let decidingHours = 24

    private static func isOn(_ refused: Int, _ served: Int) -> Bool { refused >= 3 && refused > served }

    /// When times with enforcement and without it began, ascending: an hour counts to what most of its signs show, and
    /// the newest hours together say what is now.
    private var spells: [Instant] {
        let signs = hours.compactMap { hour -> Signs? in
            let counts = hour.cells.reduce(into: (refused: 0, served: 0)) { sum, cell in
                if cell.key.sign == .refused { sum.refused += cell.value }
                if cell.key.sign == .allowing { sum.served += cell.value }
            }
            return counts.refused + counts.served > 0 ? (hour.start, counts.refused, counts.served) : nil
        }
        let newest = signs.suffix(isCoarse ? 1 : ServiceHours.decidingHours)
        let sum = newest.reduce((0, 0)) { ($0.0 + $1.refused, $0.1 + $1.served) }
        var place = signs.count
        if ServiceHours.isOn(sum.0, sum.1) || sum.1 > 0 && sum.0 <= sum.1 {
            let isOn = ServiceHours.isOn(sum.0, sum.1)
            var own = (0, 0)
            while place > 0 {
                let next = signs[place - 1]
                let isSame = (next.refused > next.served) == isOn
                let isKnown = isOn ? ServiceHours.isOn(own.0, own.1) : own.1 > 0 && own.0 <= own.1
                guard isSame || !isKnown else { break }
                own = (own.0 + next.refused, own.1 + next.served)
                place -= 1
            }
        } else {
            place = 0
        }
        var starts: [Instant] = []
        var wasOn: Bool?
        for sign in signs[..<place] where (sign.refused > sign.served) != wasOn {
            wasOn = sign.refused > sign.served
            starts.append(sign.start)
        }
        return starts + signs[place...].prefix(1).map(\.start)
    }

    /// 2 November 2026.
    private static let enforcedByGoogle = Instant(day: Day(number: 20_759), nanosecondOfDay: 0)

    private func setting(_ mode: ServiceCounts.Mode?) -> EnforcementSetting? {
        if let mode {
            return EnforcementSetting(isEnforced: mode.isEnforced, since: mode.time.seconds > 0 ? mode.updated : nil)
        }
        guard identity.isEnforcedByGoogle, ServiceHours.enforcedByGoogle <= asOf else { return nil }
        let shown = spells.dropFirst().last ?? ServiceHours.enforcedByGoogle
        return EnforcementSetting(isEnforced: true, since: max(ServiceHours.enforcedByGoogle, shown))
    }
}

extension ServiceCounts.Mode {
    /// The epoch for a setting that was never changed.
    fileprivate var time: Instant { updated ?? Instant(seconds: 0) }
}
