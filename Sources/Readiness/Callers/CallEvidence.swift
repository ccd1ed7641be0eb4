package import Verifications

/// The rest of a log, joined with its verifications: who called, and why tokens were refused.
///
/// Only whole numbers by day are left: nothing of a caller but the kind of client, and of apps for iOS the version.
package struct CallEvidence: Hashable, Sendable {
    /// Functions with a row or with one of the SDK's lines.
    package private(set) var functions: [FunctionIdentity: FunctionCallers] = [:]
    /// By project with a row of a callable function: days with a request that succeeded and left no verification.
    package private(set) var unloggedDays: [ExactName: Set<Day>] = [:]
    /// By project: days with one of the SDK's lines "Allowing request…".
    package private(set) var allowingDays: [ExactName: Set<Day>] = [:]
    /// The newest day of which something was given up for lack of room; nil when all was kept.
    package var givenUpThrough: Day?
    /// The names of revisions that somebody chose, by their hashes.
    package var revisionNames: [UInt64: String] = [:]

    package init() {}

    /// The most combinations of clients, functions and days that are kept.
    static let clientLimit = 200_000

    /// Creates the evidence that was found of functions.
    ///
    /// - Parameters:
    ///   - found: Days of functions, with their clients.
    ///   - last: The day through which some was given up: up to it, rows without a verification are left out.
    ///   - first: The first day of which verdicts look at the names of clients; nil for all.
    package init(
        _ found: consuming [FunctionIdentity: FunctionCallers], givenUpThrough last: Day?, namesFrom first: Day? = nil
    ) {
        var apps: [ExactName: Set<String>] = [:]
        for function in Array(found.keys) {
            if let last { found[function]?.giveUpOpenRows(through: last) }
            apps[ExactName(function.project), default: []].formUnion(found[function]?.apps ?? [])
        }
        givenUpThrough = last
        for function in Array(found.keys) {
            found[function]?.tellExtensions(apps[ExactName(function.project), default: []])
            if let first { found[function]?.pool(before: first) }
        }
        let limit = CallEvidence.rankLimit(of: found)
        for function in Array(found.keys) {
            // Nothing else owns it then, so that it is changed where it lies.
            guard var callers = found.removeValue(forKey: function) else { continue }
            callers.trim(below: limit)
            add(callers, for: function)
        }
    }

    /// The rank from which on there is no room for the names of clients; nil if there is for all.
    private static func rankLimit(of found: [FunctionIdentity: FunctionCallers]) -> UInt64? {
        var ranks: [UInt64] = []
        for callers in found.values { for day in callers.days.values { ranks += day.clientRanks.values } }
        return ranks.count > clientLimit ? ranks.sorted()[clientLimit] : nil
    }

    package mutating func add(_ callers: FunctionCallers, for function: FunctionIdentity) {
        functions[function] = callers
        for (day, found) in callers.days where found.hasAllowing {
            allowingDays[ExactName(function.project), default: []].insert(day)
        }
        guard callers.days.values.contains(where: { $0.rows > 0 }) else { return }
        let days = callers.days.filter { $0.value.unlogged > 0 }.keys
        unloggedDays[ExactName(function.project), default: []].formUnion(days)
    }

    /// By project: how many requests to callable functions were answered 5xx, by day.
    var serverErrors: [ExactName: [Day: Int]] {
        functions.reduce(into: [:]) { sums, function in
            for (day, found) in function.value.days where found.serverErrors > 0 {
                sums[ExactName(function.key.project), default: [:]][day, default: 0] += found.serverErrors
            }
        }
    }

    /// True when anything was read of a function of the project.
    func isAbout(project name: String) -> Bool { functions.keys.contains { ExactName($0.project) == ExactName(name) } }

    /// True when the input has a row of the project's request log.
    func hasRows(inProject name: String) -> Bool { unloggedDays[ExactName(name)] != nil }

    /// Admitted requests of iOS apps with a row, from a day on: those with a valid token, and with the placeholder.
    package func iOSTokens(from first: Day?) -> (verified: Int, placeholders: Int) {
        functions.values.lazy.flatMap(\.days).filter { day, _ in first.map { $0 <= day } ?? true }
            .reduce(into: (verified: 0, placeholders: 0)) { sum, day in
                let callers = day.value.admitted(.notRefused)
                sum.verified += callers.iOSVerified
                sum.placeholders += callers.iOSPlaceholders
            }
    }
}

/// Callers of one function, as request rows and the SDK's lines show them.
package struct FunctionCallers: Hashable, Sendable {
    package private(set) var days: [Day: CallerDay] = [:]
    /// The callers of each part of a day, in the order of ``FunctionTally/revisions``; only of days with several.
    private var parts: [Day: [CallerDay]] = [:]

    package init() {}

    package mutating func keep(_ parts: [CallerDay], of day: Day) { self.parts[day] = parts }

    /// The callers of one of a day's parts.
    func part(_ index: Int, of day: Day) -> CallerDay? {
        guard let parts = parts[day] else { return days[day] }
        return parts.indices.contains(index) ? parts[index] : nil
    }

    package mutating func add(_ found: CallerDay, on day: Day) {
        if days[day]?.merge(found) == nil { days[day] = found }
    }

    /// Changes a day, which is made when it is new.
    package mutating func update(_ day: Day, _ change: (inout CallerDay) -> Void) {
        change(&days[day, default: CallerDay()])
    }

    /// Leaves out rows without a verification up to a day: no two verifications share a row.
    mutating func giveUpOpenRows(through last: Day) {
        for day in days.keys where day <= last {
            update(day) { day in
                day.rows = min(day.rows, day.withRow)
                day.unlogged = 0
            }
        }
    }

    /// The apps that sent a valid token and have an identifier of at least three pieces: a forged `com` would make
    /// every app an extension.
    var apps: Set<String> {
        var apps: [UInt64: String] = [:]
        for (client, counts) in clients
        where counts.verified > 0 && !client.kind.hasSite && apps[client.code.nameHash] == nil {
            apps[client.code.nameHash] = client.version?.app
        }
        return Set(apps.values.filter { $0.utf8.count { $0 == UInt8(ascii: ".") } >= 2 })
    }

    private var clients: some Sequence<(key: AdmittedCallers.Client, value: AdmittedCallers.Counts)> {
        days.values.lazy.flatMap { [$0.signedIn.clients, $0.signedOut.clients] }.joined()
    }

    /// True with a valid token of a program.
    var hasMachines: Bool {
        days.values.contains { day in
            [day.signedIn, day.signedOut].contains { callers in
                callers.clients.contains { $0.key.kind.isMachine && $0.value.verified > 0 }
            }
        }
    }

    /// Tells extensions from apps, where only the days of other runs show that they are.
    mutating func tellExtensions(_ apps: Set<String>) {
        var known: [UInt64: Bool] = [:]
        for (client, _) in clients where client.kind == .ios && known[client.code.nameHash] == nil {
            known[client.code.nameHash] = client.version?.isExtension(of: apps) ?? false
        }
        guard known.values.contains(true) else { return }
        change { $0.tellExtensions { known[$0.code.nameHash] == true } }
    }

    /// Keeps of each day as many clients as a day may have, those below a rank if there is one.
    mutating func trim(below limit: UInt64?) {
        change { day in
            day.trim()
            if let limit { day.pool(from: limit) }
        }
    }

    /// Leaves no room for the names of earlier days' clients.
    mutating func pool(before first: Day) { change(before: first) { $0.pool(from: 0) } }

    /// Changes days and their parts.
    private mutating func change(before end: Day? = nil, _ change: (inout CallerDay) -> Void) {
        func isWanted(_ day: Day) -> Bool { end.map { day < $0 } ?? true }
        for day in days.keys where isWanted(day) { update(day, change) }
        for day in parts.keys where isWanted(day) {
            for index in parts[day, default: []].indices { change(&parts[day, default: []][index]) }
        }
    }
}
