package import Verifications

/// Turns what App Check's metric counts into the days and hours of the one rule: the only place that knows services.
extension ServiceCounts {
    /// The newest hours of an answer arrive late, in seconds.
    private static let delay: Int64 = 6 * 3600
    private static let hour: Int64 = 3600

    /// An evaluator for the services of each project, which are judged as of the last hour that is known to be whole,
    /// or an earlier `asOf`.
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
        var apps: [FunctionIdentity: [ExactName: Int]] = [:]
        for (key, counts) in own {
            let identity = FunctionIdentity(service: key.service.text, project: project.text)
            let security = ServiceFacts.Security(rawValue: key.security.text) ?? .other
            let kind = ServiceHour.Kind(
                security: security, isDenied: key.result == "DENY",
                isSignedIn: security != .unknownOrigin || identity.isLoadedByURL)
            // One of which nothing counts is a row as well: nothing is known of it.
            services[identity] = services[identity] ?? [:]
            for (start, count) in counts where count.end.adding(nanoseconds: -1) <= last {
                guard range.since.map({ $0 <= start }) ?? true else { continue }
                let hour = start.hourStart
                var found = services[identity]?[hour] ?? ServiceHour(start: hour)
                found.add(count.requests, kind)
                found.isCoarse = found.isCoarse || count.end.seconds - start.seconds > ServiceCounts.hour
                services[identity, default: [:]][hour] = found
                if security == .valid, key.app != "UNKNOWN" {
                    apps[identity, default: [:]][key.app, default: 0] += count.requests
                }
            }
        }
        let modes = modes(of: project)
        for (identity, mode) in modes where mode.isCounted { services[identity] = services[identity] ?? [:] }
        let days = Set(services.values.flatMap { $0.keys.map(\.day) }).sorted()
        var tally = Tally()
        for (identity, hours) in services {
            let facts = ServiceFacts(
                asOf: last,
                apps: (apps[identity] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .map { ServiceFacts.App(name: $0.key.text, requests: $0.value) },
                hours: hours.values.sorted { $0.start < $1.start }, projectDays: days, mode: modes[identity],
                isEnforcedByGoogle: identity.isEnforcedByGoogle)
            tally.add(FunctionTally(facts), for: identity)
        }
        return Evaluator(
            services: tally, rules: rules, asOf: last, clock: clock,
            unread: incomplete.contains(project) ? UnreadRecords(nil, newest: nil) : UnreadRecords())
    }

    /// The end of the newest hour, or longer period, that lies six hours before the last one's.
    private static func newest(_ series: [Series: [Instant: Count]]) -> Instant {
        let ends = series.values.flatMap { $0.map { (start: $0.key, end: $0.value.end) } }
        let limit = (ends.map(\.end).max() ?? Instant(seconds: 0)).adding(seconds: -delay)
        let isCoarse = ends.contains { $0.end.seconds - $0.start.seconds > hour }
        let coarse = ends.map(\.end).filter { $0 <= limit }.max() ?? limit
        let whole = isCoarse ? coarse : limit.hourStart
        return whole.adding(nanoseconds: -1)
    }

    /// The modes of a project's services: they name its number, which apps' names show; the newest of each.
    private func modes(of project: ExactName) -> [FunctionIdentity: Mode] {
        let own = modes.filter { self.project(of: $0) == project }
        let inOrder = own.sorted { ($0.time, $0.isEnforced ? 1 : 0) < ($1.time, $1.isEnforced ? 1 : 0) }
        let found = inOrder.map { (FunctionIdentity(service: $0.service.text, project: project.text), $0) }
        return Dictionary(found) { _, newer in newer }
    }

    /// The project that a mode is of, by its id or its number; nil where that is unknown.
    private func project(of mode: Mode) -> ExactName? {
        if projects.contains(mode.project) { return mode.project }
        let numbered = series.keys.filter { $0.app != "UNKNOWN" }
        let owners = Set(
            numbered.filter { $0.app.text.split(separator: ":").dropFirst().first == mode.project.text[...] }.map(
                \.project))
        if owners.count == 1 { return owners.first }
        // Without a verified request, nothing shows the number.
        return numbered.isEmpty && projects.count == 1 && Set(modes.map(\.project)).count == 1 ? projects.first : nil
    }

    /// The projects, or their numbers, that modes name and no count is of; in order.
    package var foreignModes: [String] {
        Set(modes.filter { project(of: $0) == nil }.map(\.project)).sorted().map(\.text)
    }
}

extension ServiceCounts.Mode {
    /// The epoch for a mode that was never changed.
    fileprivate var time: Instant { updated ?? Instant(seconds: 0) }

    /// The last change; nil where there was none.
    var change: Instant? { updated.flatMap { $0.seconds > 0 ? $0 : nil } }
}

extension FunctionTally {
    /// What the rule makes of the hours of a service.
    fileprivate init(_ service: ServiceFacts) {
        var (days, parts): ([DayTally], [[RevisionPart]]) = ([], [])
        var recent = RecentRequests()
        for hour in service.hours {
            let nanosecond = hour.start.nanosecondOfDay
            var (counts, blocked, signedInBlocked) = (StatusMatrix(), BlockedTimes(), BlockedTimes())
            var part = RevisionPart(.none, beginning: 1)
            for (kind, count) in hour.requests {
                counts[kind.app, kind.auth] += count
                if kind.app != .valid {
                    blocked.add(nanosecond: nanosecond)
                    if kind.isSignedIn { signedInBlocked.add(nanosecond: nanosecond) }
                }
                part.add(
                    count, at: nanosecond, app: kind.app, auth: kind.auth, answer: nil,
                    sign: EnforcementSign(answer: nil, line: kind.sign, app: kind.app, auth: kind.auth))
            }
            part.keep(counts)
            let end = hour.isCoarse ? Instant.nanosecondsPerDay : nanosecond + 3_600_000_000_000
            let tally = DayTally(
                day: hour.start.day, counts: counts, nanoseconds: nanosecond...(end - 1), blocked: blocked,
                signedInBlocked: signedInBlocked)
            if days.last?.day == tally.day {
                days[days.count - 1].merge(tally)
                parts[parts.count - 1].append(part)
            } else {
                days.append(tally)
                parts.append([part])
            }
            if !hour.isCoarse {
                for isSignedIn in [false, true] { recent.add(hour, isSignedIn: isSignedIn, before: service.asOf) }
            }
        }
        self.init(
            days: days, undated: StatusMatrix(), pooledDays: StatusMatrix(), pooledFirst: nil, otherSeverities: [],
            label: nil)
        for (day, parts) in zip(days, parts) { keep(parts, of: day.day) }
        (self.service, self.recent) = (service, recent)
    }
}

extension RecentRequests {
    fileprivate mutating func add(_ hour: ServiceHour, isSignedIn: Bool, before end: Instant) {
        func count(where isMeant: (ServiceHour.Kind) -> Bool) -> Int {
            hour.count { $0.isSignedIn == isSignedIn && isMeant($0) }.blocked
        }
        let all = hour.count { $0.isSignedIn == isSignedIn }
        guard all.requests > 0 else { return }
        add(
            HourSum(
                start: hour.start, sort: Sort(isSignedIn: isSignedIn, client: nil, revision: .none), all: all,
                refused: count(where: \.isDenied), invalidBlocked: count { $0.app == .invalid },
                invalidRefused: count { $0.app == .invalid && $0.isDenied }), before: end)
    }
}
