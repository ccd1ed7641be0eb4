package import Verifications

/// Turns what App Check's metric counts into the days and hours of the one rule: the only place that knows services.
extension ServiceCounts {
    /// The newest hours of an answer arrive late, in seconds.
    private static let delay: Int64 = 6 * 3600

    /// An evaluator for the services of each project, which are judged as of the last hour that is known to be whole,
    /// or an earlier `asOf`.
    package func evaluators(_ rules: PolicyRules, asOf: Instant?, clock: Instant?, range: TimeRange) -> [Evaluator] {
        projects.sorted().map { evaluator($0, rules, asOf: asOf, clock: clock, range) }
    }

    private func evaluator(
        _ project: ExactName, _ rules: PolicyRules, asOf: Instant?, clock: Instant?, _ range: TimeRange
    ) -> Evaluator {
        let all = series.filter { $0.key.project == project }
        let newest = ServiceCounts.newest(all.values.flatMap(\.keys))
        let end = min(newest, asOf ?? newest, range.until?.adding(nanoseconds: -1) ?? newest).adding(nanoseconds: 1)
        let last = end.hourStart.adding(nanoseconds: -1)
        func counts(_ period: Range<Instant>) -> Bool {
            period.upperBound.adding(nanoseconds: -1) <= last && range.since ?? period.lowerBound <= period.lowerBound
        }
        let own = all.mapValues { $0.filter { counts($0.key) } }
        let services = Dictionary(grouping: own) { identity($0.key.service, project) }
        let modes = modes(of: project)
        // A mode that was set later says nothing of what is judged; an earlier answer may.
        let seen = self.modes(of: project, setUpTo: last)
        let days = Set(own.values.flatMap { $0.keys.map(\.lowerBound.day) }).sorted()
        var tally = Tally()
        // One of which nothing counts is a row as well: nothing is known of it.
        for identity in Set(services.keys).union(modes.filter(\.value.isCounted).keys) {
            let facts = ServiceFacts(
                identity, services[identity] ?? [], asOf: last, projectDays: days, mode: seen[identity])
            tally.add(FunctionTally(facts), for: identity)
        }
        return Evaluator(
            services: tally, rules: rules, asOf: last, clock: clock,
            unread: incomplete.contains(project) ? UnreadRecords(nil, newest: nil) : UnreadRecords())
    }

    private func identity(_ service: ExactName, _ project: ExactName) -> FunctionIdentity {
        FunctionIdentity(service: service.text, project: project.text)
    }

    /// The end of the newest hour, or longer period, that lies six hours before the last one's.
    private static func newest(_ periods: [Range<Instant>]) -> Instant {
        let ends = periods.map(\.upperBound)
        let limit = (ends.max() ?? Instant(seconds: 0)).adding(seconds: -delay)
        let isCoarse = periods.contains(where: \.isLongerThanAnHour)
        let whole = isCoarse ? ends.filter { $0 <= limit }.max() ?? limit : limit.hourStart
        return whole.adding(nanoseconds: -1)
    }

    /// The modes of a project's services: they name its number, which apps' names show; the newest of each.
    private func modes(of project: ExactName, setUpTo end: Instant? = nil) -> [FunctionIdentity: Mode] {
        func order(_ mode: Mode) -> (Instant, Int) { (mode.updated ?? Instant(seconds: 0), mode.isEnforced ? 1 : 0) }
        func isSeen(_ mode: Mode) -> Bool { end.map { mode.updated ?? $0 <= $0 } ?? true }
        let own = modes.filter { isSeen($0) && self.project(of: $0) == project }.sorted { order($0) < order($1) }
        return Dictionary(own.map { (identity($0.service, project), $0) }) { _, newer in newer }
    }

    /// The project that a mode is of, by its id or its number; nil where that is unknown.
    private func project(of mode: Mode) -> ExactName? {
        if projects.contains(mode.project) { return mode.project }
        let numbered = series.keys.filter { $0.app != "UNKNOWN" }
        let owners = numbered.filter {
            $0.app.text.split(separator: ":").dropFirst().first == mode.project.text[...]
        }.map(\.project)
        if Set(owners).count == 1 { return owners.first }
        // Without a verified request, nothing shows the number.
        return numbered.isEmpty && projects.count == 1 && Set(modes.map(\.project)).count == 1 ? projects.first : nil
    }

    /// The projects, or their numbers, that modes name and no count is of; in order.
    package var foreignModes: [String] {
        Set(modes.filter { project(of: $0) == nil }.map(\.project)).sorted().map(\.text)
    }
}

extension Range<Instant> {
    fileprivate var isLongerThanAnHour: Bool { upperBound.seconds - lowerBound.seconds > 3600 }
}

extension ServiceFacts {
    fileprivate init(
        _ identity: FunctionIdentity, _ series: [(key: ServiceCounts.Series, value: [Range<Instant>: Int])],
        asOf: Instant, projectDays: [Day], mode: ServiceCounts.Mode?
    ) {
        var hours: [Instant: ServiceHour] = [:]
        var apps: [ExactName: Int] = [:]
        for (key, counts) in series {
            let security = Security(rawValue: key.security.text) ?? .other
            let kind = ServiceHour.Kind(
                security: security, isDenied: key.result == "DENY",
                isSignedIn: security != .unknownOrigin || identity.isLoadedByURL)
            for (period, requests) in counts {
                let start = period.lowerBound.hourStart
                hours[start, default: ServiceHour(start: start)].requests[kind, default: 0] += requests
                if period.isLongerThanAnHour { hours[start]?.isCoarse = true }
                if security == .valid, key.app != "UNKNOWN" { apps[key.app, default: 0] += requests }
            }
        }
        (self.asOf, self.projectDays, self.mode) = (asOf, projectDays, mode)
        self.hours = hours.values.sorted { $0.start < $1.start }
        self.apps = apps.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { App(name: $0.key.text, requests: $0.value) }
        isEnforcedByGoogle = identity.isEnforcedByGoogle
    }
}

extension FunctionTally {
    /// Sums up the hours of a service as the rule needs them.
    fileprivate init(_ service: ServiceFacts) {
        var (days, parts): ([DayTally], [[RevisionPart]]) = ([], [])
        var recent = RecentRequests()
        for hour in service.hours {
            let nanosecond = hour.start.nanosecondOfDay
            var (counts, part) = (StatusMatrix(), RevisionPart(.none, beginning: 1))
            for (kind, count) in hour.requests {
                counts[kind.app, kind.auth] += count
                part.add(
                    count, at: nanosecond, app: kind.app, auth: kind.auth, answer: nil,
                    sign: EnforcementSign(answer: nil, line: kind.sign, app: kind.app, auth: kind.auth))
                guard !hour.isCoarse else { continue }
                recent.add(
                    RecentRequests.Request(hour.start, app: kind.app, isServed: !kind.isDenied),
                    RecentRequests.Sort(isSignedIn: kind.isSignedIn, client: nil, revision: .none), count: count,
                    before: service.asOf, isWholeHour: true)
            }
            part.keep(counts)
            let end = hour.isCoarse ? Instant.nanosecondsPerDay : nanosecond + 3_600_000_000_000
            let tally = DayTally(
                day: hour.start.day, counts: counts, nanoseconds: nanosecond...(end - 1), blocked: part.blocked,
                signedInBlocked: part.signedInBlocked)
            if days.last?.day == tally.day {
                days[days.count - 1].merge(tally)
                parts[parts.count - 1].append(part)
            } else {
                days.append(tally)
                parts.append([part])
            }
        }
        self.init(
            days: days, undated: StatusMatrix(), pooledDays: StatusMatrix(), pooledFirst: nil, otherSeverities: [],
            label: nil)
        for (day, parts) in zip(days, parts) { keep(parts, of: day.day) }
        (self.service, self.recent) = (service, recent)
    }
}
