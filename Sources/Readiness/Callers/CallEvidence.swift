package import Verifications

/// The rest of a log, joined with its verifications: who called, and why tokens were refused.
///
/// Only whole numbers by day are left: nothing of a caller but the kind of client, and of apps for iOS the version.
package struct CallEvidence: Hashable, Sendable {
    /// Functions with a row or with one of the SDK's lines.
    package private(set) var functions: [FunctionIdentity: FunctionCallers] = [:]
    /// By project with a row of a callable function: days with a request that succeeded and left no verification.
    package private(set) var unloggedDays: [ExactName: Set<Day>] = [:]
    /// The newest day of which something was given up for lack of room; nil when all was kept.
    package var givenUpThrough: Day?
    /// The names of revisions that somebody chose, by their hashes.
    package var revisionNames: [UInt64: String] = [:]
    /// False where addresses were not kept, so that nobody knows how many there are.
    package var hasAddresses = true

    package init() {}

    /// What was found of functions; up to a day through which some was given up, rows without a verification are left
    /// out.
    package init(_ found: consuming [FunctionIdentity: FunctionCallers], givenUpThrough last: Day?) {
        var apps: [ExactName: Set<String>] = [:]
        for function in Array(found.keys) {
            if let last { found[function]?.giveUpOpenRows(through: last) }
            apps[ExactName(function.project), default: []].formUnion(found[function]?.apps ?? [])
        }
        givenUpThrough = last
        for function in Array(found.keys) {
            // Nothing else owns it then, so that it is changed where it lies.
            guard var callers = found.removeValue(forKey: function) else { continue }
            callers.tellExtensions(apps[ExactName(function.project), default: []])
            callers.trim()
            add(callers, for: function)
        }
    }

    package mutating func add(_ callers: FunctionCallers, for function: FunctionIdentity) {
        functions[function] = callers
        guard callers.days.values.contains(where: { $0.rows > 0 }) else { return }
        let days = callers.days.filter { $0.value.unlogged > 0 }.keys
        unloggedDays[ExactName(function.project), default: []].formUnion(days)
    }

    /// Adds the evidence of other requests.
    package func merged(_ other: CallEvidence) -> CallEvidence {
        var sum = self
        for (function, callers) in other.functions {
            var all = functions[function] ?? FunctionCallers()
            all.merge(callers)
            sum.add(all, for: function)
        }
        sum.givenUpThrough = [givenUpThrough, other.givenUpThrough].compactMap(\.self).max()
        sum.hasAddresses = hasAddresses && other.hasAddresses
        sum.revisionNames.merge(other.revisionNames) { first, _ in first }
        return sum
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

/// What request rows and the SDK's lines show of one function.
package struct FunctionCallers: Hashable, Sendable {
    package private(set) var days: [Day: CallerDay] = [:]

    package init() {}

    /// Changes a day, which is made when it is new.
    package mutating func update(_ day: Day, _ change: (inout CallerDay) -> Void) {
        change(&days[day, default: CallerDay()])
    }

    /// Leaves out rows without a verification up to a day: no two verifications share a row.
    mutating func giveUpOpenRows(through last: Day) {
        for day in days.keys where day <= last {
            update(day) { day in
                day.rows = min(day.rows, day.withRow)
                day.successes -= day.unlogged
                day.unlogged = 0
            }
        }
    }

    package mutating func merge(_ other: FunctionCallers) {
        for (day, found) in other.days { if days[day]?.merge(found) == nil { days[day] = found } }
    }

    /// The apps that sent a valid token and have an identifier of at least three pieces: a forged `com` would make
    /// every app an extension.
    var apps: Set<String> {
        let clients = days.values.flatMap { [$0.signedIn.clients, $0.signedOut.clients] }.joined()
        let apps = clients.lazy.filter { $0.value.verified > 0 && !$0.key.kind.hasSite }.compactMap {
            $0.key.version?.app
        }
        return Set(apps.filter { $0.utf8.count { $0 == UInt8(ascii: ".") } >= 2 })
    }

    /// Tells extensions from apps, where only the days of other runs show that they are.
    mutating func tellExtensions(_ apps: Set<String>) {
        for day in days.keys { days[day]?.tellExtensions(apps) }
    }

    /// Keeps of each day as many clients as a day may have.
    package mutating func trim() {
        for day in days.keys { days[day]?.trim() }
    }

    package func sum(_ window: Window) -> CallerDay {
        window.days.reduce(into: CallerDay()) { sum, day in
            if let day = days[day] { sum.merge(day) }
        }
    }
}

/// One day of a function's callers; sums of days are days, too.
package struct CallerDay: Hashable, Sendable {
    /// Rows of the request log.
    package var rows = 0
    /// Rows answered 2xx.
    package var successes = 0
    /// Rows answered 2xx that no verification belongs to.
    package var unlogged = 0
    /// Verifications that have a row, with any Auth status.
    package var withRow = 0
    /// Admitted requests whose Auth status is VALID, and the others.
    package var signedIn = AdmittedCallers()
    package var signedOut = AdmittedCallers()
    /// What requests without a valid App Check token show of enforcement.
    package var signs = DaySigns()
    /// Those of them that were answered 401 by their row.
    package var refusedByRow = 0
    /// Requests with both tokens that have a row: answered 401, or otherwise.
    package var verifiedRefused = 0
    package var verifiedServed = 0
    /// Requests whose Auth token is refused, answered 401: the answers of the function tell something.
    package var authRefused = 0

    package init() {}

    package mutating func merge(_ other: CallerDay) {
        signs.merge(other.signs)
        refusedByRow += other.refusedByRow
        verifiedRefused += other.verifiedRefused
        verifiedServed += other.verifiedServed
        authRefused += other.authRefused
        rows += other.rows
        successes += other.successes
        unlogged += other.unlogged
        withRow += other.withRow
        signedIn.merge(other.signedIn)
        signedOut.merge(other.signedOut)
    }

    /// The requests that a policy admits.
    package func admitted(_ admission: Admission) -> AdmittedCallers {
        guard admission == .notRefused else { return signedIn }
        var all = signedIn
        all.merge(signedOut)
        return all
    }

    /// Counts a verification that has a row, or one whose token was refused; nothing where Auth refuses the request.
    package mutating func update(auth: TokenStatus, _ change: (inout AdmittedCallers) -> Void) {
        switch auth {
        case .invalid: break
        case .valid: change(&signedIn)
        case .missing, .other: change(&signedOut)
        }
    }

    /// Changes what is known of requests that are signed in, or of the others.
    package mutating func update(signedIn: Bool, _ change: (inout AdmittedCallers) -> Void) {
        if signedIn { change(&self.signedIn) } else { change(&signedOut) }
    }

    /// How many combinations of client, app or site, version and system one day keeps.
    package static let clientLimit = 200

    mutating func tellExtensions(_ apps: Set<String>) {
        signedIn.tellExtensions(apps)
        signedOut.tellExtensions(apps)
    }

    mutating func trim() {
        signedIn.trimAddresses(beyond: AdmittedCallers.addressLimit)
        signedOut.trimAddresses(beyond: AdmittedCallers.addressLimit)
        let clients = Set(signedIn.clients.keys).union(signedOut.clients.keys).filter { $0.version != nil }
        guard clients.count > CallerDay.clientLimit else { return }
        let kept = Set(clients.sorted { ($0.rank, $0) < ($1.rank, $1) }.prefix(CallerDay.clientLimit))
        signedIn.keep(kept)
        signedOut.keep(kept)
    }
}
