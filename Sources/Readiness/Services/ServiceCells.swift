package import Verifications

/// Turns what App Check's metric counts into cells: the only place that knows services.
extension ServiceCounts {
    /// The newest hours of an answer arrive late, in seconds.
    private static let delay: Int64 = 6 * 3600

    /// An evaluator for the services of each project, which are judged as of the last hour that is known to be whole,
    /// or an earlier `asOf`.
    package func evaluators(_ rules: PolicyRules, asOf: Instant?, clock: Instant?, range: TimeRange) -> [Evaluator] {
        let counts = Dictionary(grouping: series) { $0.key.project }
        let modes = Dictionary(grouping: modes, by: owner)
        return projects.sorted().map { project in
            evaluator(
                project, counts[project, default: []], modes[project, default: []], rules, asOf: asOf, clock: clock,
                range)
        }
    }

    private func evaluator(
        _ project: ExactName, _ all: [(key: Series, value: [Range<Instant>: Int])], _ modes: [Mode],
        _ rules: PolicyRules, asOf: Instant?, clock: Instant?, _ range: TimeRange
    ) -> Evaluator {
        let newest = ServiceCounts.newest(all.flatMap(\.value.keys))
        let end = min(newest, asOf ?? newest, range.until?.adding(nanoseconds: -1) ?? newest).adding(nanoseconds: 1)
        let last = end.hourStart.adding(nanoseconds: -1)
        let services = Dictionary(grouping: all) { identity($0.key.service, project) }
        // A mode that was set later says nothing of what is judged; an earlier answer may.
        let seen = newestModes(modes.filter { $0.updated ?? last <= last }, of: project)
        var tally = Tally()
        // One of which nothing counts is a row as well: nothing is known of it.
        for identity in Set(services.keys).union(newestModes(modes, of: project).filter(\.value.isCounted).keys) {
            tally.add(
                CellTable(
                    identity, services[identity] ?? [], from: range.since, through: last, mode: seen[identity],
                    gaps: gaps(of: project)),
                for: identity)
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

    /// The newest mode of each of a project's services.
    private func newestModes(_ modes: [Mode], of project: ExactName) -> [FunctionIdentity: Mode] {
        func order(_ mode: Mode) -> (Instant, Int) { (mode.updated ?? Instant(seconds: 0), mode.isEnforced ? 1 : 0) }
        let sorted = modes.sorted { order($0) < order($1) }
        return Dictionary(sorted.map { (identity($0.service, project), $0) }) { _, newer in newer }
    }

    /// Tells the project that a mode is of, by its id or by its number, which apps' names show; nil where that is
    /// unknown.
    private var owner: (Mode) -> ExactName? {
        let numbered = series.keys.filter { $0.app != "UNKNOWN" }
        let owners = Dictionary(grouping: numbered) { $0.app.text.split(separator: ":").dropFirst().first }
            .mapValues { Set($0.map(\.project)) }
        // Without a verified request, nothing shows the number.
        let projects = projects
        let isOnlyOne = numbered.isEmpty && projects.count == 1 && Set(modes.map(\.project)).count == 1
        return { mode in
            if projects.contains(mode.project) { return mode.project }
            if let owners = owners[mode.project.text[...]], owners.count == 1 { return owners.first }
            return isOnlyOne ? projects.first : nil
        }
    }

    /// The projects, or their numbers, that modes name and no count is of; in order.
    package var foreignModes: [String] {
        Set((Dictionary(grouping: modes, by: owner)[nil] ?? []).map(\.project)).sorted().map(\.text)
    }
}

extension Range<Instant> {
    fileprivate var isLongerThanAnHour: Bool { upperBound.seconds - lowerBound.seconds > 3600 }
}

/// The status of a request's token in the metric.
package enum CountedToken: String, CaseIterable, Sendable {
    case valid = "VALID"
    /// A token that was used before.
    case consumed = "CONSUMED"
    case invalid = "INVALID"
    /// No token, but it looks like a Firebase SDK.
    case outdatedClient = "MISSING_OUTDATED_CLIENT"
    /// Neither a token nor an SDK: anybody with curl, or a page that loads files by their URL.
    case unknownOrigin = "MISSING_UNKNOWN_ORIGIN"
    case other = ""

    /// The kind of client that represents it in cells: the metric has no user agents.
    fileprivate var client: ClientKind {
        switch self {
        case .valid: .web
        case .consumed: .webLocal
        case .invalid: .ios
        case .outdatedClient: .node
        case .unknownOrigin: .none
        case .other: .other
        }
    }

    fileprivate func properties(isDenied: Bool, isSignedIn: Bool) -> Cell.Properties {
        let app: TokenStatus =
            switch self {
            // A denied request is blocked, regardless of its token.
            case .valid, .consumed: isDenied ? .other : .valid
            case .invalid: .invalid
            case .outdatedClient, .unknownOrigin: .missing
            case .other: .other
            }
        var properties = Cell.Properties(app: app, auth: isSignedIn ? .valid : .missing)
        // A request that is let through may be an exception.
        properties.line =
            isDenied
            ? .refused : [.invalid, .outdatedClient].contains(self) ? .allowing : app == .valid ? .none : .exempt
        return properties
    }
}

extension CellTable {
    /// Writes the requests of a service up to an instant, by hour or by longer periods; those before `since` show
    /// enforcement alone.
    fileprivate init(
        _ identity: FunctionIdentity, _ series: [(key: ServiceCounts.Series, value: [Range<Instant>: Int])],
        from since: Instant?, through last: Instant, mode: ServiceCounts.Mode?, gaps: [Range<Instant>]
    ) {
        var writer = CellWriter()
        for (key, counts) in series {
            let token = CountedToken(rawValue: key.security.text) ?? .other
            var properties = token.properties(
                isDenied: key.result == "DENY", isSignedIn: token != .unknownOrigin || identity.isLoadedByURL)
            let app = token == .valid && key.app != "UNKNOWN" ? ClientVersion(app: key.app.text) : nil
            let client = writer.number(of: Client(ClientCode(token.client), version: app))
            for (period, requests) in counts where period.upperBound.adding(nanoseconds: -1) <= last {
                properties.isEarly = since.map { period.lowerBound < $0 } ?? false
                let start = period.lowerBound.hourStart
                let isCoarse = period.isLongerThanAnHour
                let first = start.nanosecondOfDay
                writer.add(
                    properties, client: client, day: start.day,
                    at: first...(isCoarse ? Instant.nanosecondsPerDay : first + 3_600_000_000_000) - 1,
                    count: requests)
            }
        }
        self = writer.finish()
        (isByHour, self.gaps) = (true, gaps)
        if mode != nil || identity.isEnforcedByGoogle {
            self.mode = StatedMode(
                isEnforced: identity.isEnforcedByGoogle || mode?.isEnforced ?? false,
                isCounted: mode?.isCounted ?? true, updated: mode?.updated,
                isByGoogle: identity.isEnforcedByGoogle, isSet: mode != nil)
        }
    }

    func security(of cell: Cell) -> CountedToken? {
        guard let kind = client(of: cell)?.kind, isByHour else { return nil }
        return CountedToken.allCases.first { $0.client == kind }
    }

    /// Requests of some days by token; verified ones that were denied are among the others.
    package func count(_ token: CountedToken, in window: Window?) -> Int {
        guard let window else { return 0 }
        return cells(in: window.days).filter { cell in
            cell.isCounted && (cell.app == .other ? .other : security(of: cell)) == token
        }.requests
    }

    /// The apps with verified requests, most requests first; refused ones have none.
    package var countedApps: [(name: String, requests: Int)] {
        guard isByHour else { return [] }
        let sums = cells.reduce(into: [String: Int]()) { sums, cell in
            if cell.isCounted, let app = client(of: cell)?.version?.app { sums[app, default: 0] += cell.count }
        }
        return sums.map { (name: $0.key, requests: $0.value) }
            .sorted { ($1.requests, ExactName($0.name)) < ($0.requests, ExactName($1.name)) }
    }
}
