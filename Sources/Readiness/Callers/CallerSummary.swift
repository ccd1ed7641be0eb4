package import Verifications

/// Callers of a function in its window, and causes of refused App Check tokens; nil if the input shows nothing of it.
package struct CallerSummary: Hashable, Sendable {
    package let causes: Causes?
    /// False where the log has neither a row nor a line of the project.
    package let isAboutProject: Bool
    package let clients: Clients?

    /// Why tokens of admitted requests were refused.
    package struct Causes: Hashable, Sendable {
        /// By ``RefusalCause``; together they are the admitted requests with a refused token.
        package let counts: [Int]
        /// The first day of the run of days, up to the newest, on which the largest count is the largest.
        package let since: Day?

        package subscript(_ cause: RefusalCause) -> Int { counts[Int(cause.rawValue)] }
    }

    /// The requests that have a row.
    package struct Clients: Hashable, Sendable {
        package let requests: Int
        package let blocked: Int
        package let callers: AdmittedCallers
        /// Valid tokens of programs, which are not among the requests.
        let machines: Int
        /// Nil while enforcement is on.
        package let alreadyFailing: Int?
        package let unlogged: Int

        /// Requests without a row that shows their client.
        package var unknown: (admitted: Int, blocked: Int) {
            (requests - callers.joined + machines, blocked - callers.blockedJoined)
        }

        /// The app version up to which nearly all blocked requests of an iOS app come.
        package var outdated: OutdatedApp? { OutdatedApp(callers) }

        /// The platform, or the release, that nine tenths of what would be refused comes from while others pass; of
        /// several the one that is refused most often.
        package var culprit: PlatformName? {
            var sums: [PlatformName: AdmittedCallers.Counts] = [:]
            for (client, counts) in callers.clients {
                let release =
                    client.kind.isOfApple
                    ? client.version.map { PlatformName.release($0.app, version: $0.version) } : nil
                for name in PlatformName.all(of: client, isSignedIn: false) + [release].compactMap(\.self) {
                    sums[name, default: AdmittedCallers.Counts()].merge(counts)
                }
            }
            let (admitted, blocked) = (callers.joined, callers.blockedJoined)
            return sums.filter { _, found in
                let others = (admitted: admitted - found.admitted, blocked: blocked - found.blocked)
                return found.blocked >= Clients.fewest && 10 * found.blocked >= 9 * blocked && others.admitted > 0
                    && 2 * others.blocked * found.admitted <= found.blocked * others.admitted
            }.max { left, right in
                let (mine, theirs) = (
                    left.value.blocked * right.value.admitted, right.value.blocked * left.value.admitted
                )
                return mine == theirs ? left.key.isNarrower(than: right.key) : mine < theirs
            }?.key
        }

        /// The four categories of Firebase's console.
        package var categories: (verified: Int, outdated: Int, unknownOrigin: Int, invalid: Int) {
            var categories = (verified: 0, outdated: 0, unknownOrigin: 0, invalid: 0)
            for (client, counts) in callers.clients {
                categories.verified += counts.verified
                categories.invalid += counts.invalid
                if client.kind.isOfSDK {
                    categories.outdated += counts.missing
                } else {
                    categories.unknownOrigin += counts.missing
                }
            }
            return categories
        }

        /// The kinds of clients that have requests, in the order of the enumeration.
        package var kinds: [(kind: ClientKind, admitted: Int, blocked: Int)] {
            ClientKind.allCases.compactMap { kind in
                count { $0.kind == kind }.map { (kind, $0, $1) }
            }
        }

        /// The versions of apps, and the sites, that have requests, most blocked first, at most 20.
        package var versions: [(client: ClientKind, version: ClientVersion, admitted: Int, blocked: Int)] {
            var known: [AdmittedCallers.Client: AdmittedCallers.Counts] = [:]
            for (client, counts) in callers.clients where client.version != nil {
                let code = ClientCode(client.kind, nameHash: client.code.nameHash)
                let anyDevice = AdmittedCallers.Client(code, version: client.version)
                known[anyDevice, default: AdmittedCallers.Counts()].merge(counts)
            }
            let sorted = known.sorted { left, right in
                let (mine, theirs) = (left.value, right.value)
                if mine.blocked != theirs.blocked { return mine.blocked > theirs.blocked }
                if mine.admitted != theirs.admitted { return mine.admitted > theirs.admitted }
                return left.key < right.key
            }
            return sorted.prefix(20).compactMap { client, counts in
                client.version.map { (client.kind, $0, counts.admitted, counts.blocked) }
            }
        }

        /// How the versions of iOS differ, and those of the iOS app with most blocked requests; nil where fewer than
        /// two have requests.
        package var systems: VersionShares? { VersionShares(callers.clients) { $0.os } }
        package var appVersions: VersionShares? {
            let apps = Dictionary(grouping: callers.clients.filter { $0.key.kind.isIOSApp }) {
                $0.key.version?.app ?? ""
            }
            let blocked = apps.mapValues { $0.reduce(0) { $0 + $1.value.blocked } }
            let app = blocked.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            return VersionShares(callers.clients) { $0.app == app ? $0.version : "" }
        }

        /// The families of browsers that have requests, in the order of the enumeration.
        package var browsers: [(browser: Browser, admitted: Int, blocked: Int)] {
            Browser.allCases.compactMap { browser in count { $0.browser == browser }.map { (browser, $0, $1) } }
        }

        /// The families of Apple's devices that have requests, of one kind of client or of all, in the order of the
        /// enumeration.
        package func devices(of kind: ClientKind? = nil) -> [(device: Device, admitted: Int, blocked: Int)] {
            Device.allCases.compactMap { device in
                count { $0.device == device && (kind == nil || $0.kind == kind) }.map { (device, $0, $1) }
            }
        }

        /// Requests of some clients; nil without one.
        private func count(_ isWanted: (ClientCode) -> Bool) -> (admitted: Int, blocked: Int)? {
            let counts = callers.sum { isWanted($0.code) ? $1 : nil }
            return counts.admitted > 0 ? (counts.admitted, counts.blocked) : nil
        }
    }
}

/// Requests of iOS apps by version.
package struct VersionShares: Hashable, Sendable {
    package struct Share: Hashable, Sendable {
        package let version: String
        package var admitted = 0
        package var blocked = 0
    }

    /// The newest first.
    package let shares: [Share]
    /// True if more is refused of some versions than of others, beyond chance; nil if too few are refused to tell.
    package let differ: Bool?

    init?(
        _ clients: [AdmittedCallers.Client: AdmittedCallers.Counts], version: (ClientVersion) -> String
    ) {
        var shares: [ReleaseNumber: Share] = [:]
        for (client, counts) in clients where client.kind.isIOSApp {
            guard let name = client.version.map(version), !name.isEmpty else { continue }
            shares[ReleaseNumber(name), default: Share(version: name)].admitted += counts.admitted
            shares[ReleaseNumber(name), default: Share(version: name)].blocked += counts.blocked
        }
        self.shares = shares.sorted { $1.key < $0.key }.map(\.value)
        guard shares.count > 1, self.shares.contains(where: { $0.blocked > 0 }) else { return nil }
        differ = Proportions.differ(among: self.shares.map { ($0.blocked, $0.admitted) })
    }
}

extension CallerSummary {
    init?(
        _ identity: FunctionIdentity, _ evaluator: Evaluator, _ evaluation: Evaluation, _ counts: WindowCounts,
        isEnforced: Bool
    ) {
        guard let evidence = evaluator.evidence, let judged = counts.window else { return nil }
        let (project, policy) = (evaluation.project, evaluation.policy)
        let window = project?.stretch(of: judged) ?? judged
        let tally = evaluator.tally.functions[identity] ?? FunctionTally()
        let callers = evidence.functions[identity] ?? FunctionCallers()
        let admission = evaluation.admission
        causes = Causes(callers, tally, in: window, since: project?.firstDay ?? window.from, admission)
        isAboutProject = evidence.isAbout(project: identity.project)
        guard evidence.hasRows(inProject: identity.project) else {
            clients = nil
            return
        }
        // What revisions that are on have refused is not among the requests.
        var admitted = callers.days.keys.filter(window.days.contains).compactMap(evaluation.history.callerDay)
            .reduce(into: AdmittedCallers()) { $0.merge($1.admitted(admission)) }
        admitted.leaveOut(policy.numbers.ignoredClients)
        clients = Clients(
            requests: counts.admitted, blocked: counts.blocked, callers: admitted,
            machines: counts.machines, alreadyFailing: isEnforced ? nil : admitted.alreadyFailing,
            unlogged: callers.days.reduce(0) { window.days.contains($1.key) ? $0 + $1.value.unlogged : $0 })
    }
}

extension CallerSummary.Causes {
    /// Nil without a refused token in the window; the first day of the stretch is how far the run of days goes back.
    init?(
        _ callers: FunctionCallers, _ tally: FunctionTally, in window: Window, since stretch: Day,
        _ admission: Admission
    ) {
        let days = tally.days.compactMap { day -> (day: Day, counts: [Int])? in
            let refused = day.counts.admitted(admission, app: .invalid)
            guard refused > 0, stretch <= day.day, day.day <= window.to else { return nil }
            var counts = callers.days[day.day].map { $0.admitted(admission).causes } ?? AdmittedCallers().causes
            counts[Int(RefusalCause.unexplained.rawValue)] += refused - counts.reduce(0, +)
            return (day.day, counts)
        }
        guard let newest = days.last, window.from <= newest.day else { return nil }
        let sums = days.reduce(into: AdmittedCallers().causes) { sums, day in
            guard window.from <= day.day else { return }
            for (index, count) in day.counts.enumerated() { sums[index] += count }
        }
        counts = sums
        let largest = sums.indices.first { sums[$0] == sums.max() } ?? 0
        since = days.reversed().prefix { $0.counts[largest] == $0.counts.max() }.last?.day
    }
}
