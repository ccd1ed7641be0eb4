package import Verifications

/// One day of a function's callers; sums of days are days, too.
package struct CallerDay: Hashable, Sendable {
    /// Rows of the request log.
    package var rows = 0
    /// Rows answered 2xx that no verification belongs to.
    package var unlogged = 0
    /// Rows answered 5xx.
    package var serverErrors = 0
    /// As many on a day without a verification show that requests fail before the SDK logs.
    static let manyServerErrors = 10
    /// Verifications that have a row, with any Auth status.
    package var withRow = 0
    /// Admitted requests whose Auth status is VALID, and the others.
    package var signedIn = AdmittedCallers()
    package var signedOut = AdmittedCallers()
    /// True with one of the SDK's lines "Allowing request…", whichever request it is about.
    package var hasAllowing = false

    package init() {}

    package mutating func merge(_ other: CallerDay) {
        hasAllowing = hasAllowing || other.hasAllowing
        rows += other.rows
        unlogged += other.unlogged
        serverErrors += other.serverErrors
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

    mutating func tellExtensions(_ isExtension: (AdmittedCallers.Client) -> Bool) {
        signedIn.tellExtensions(isExtension)
        signedOut.tellExtensions(isExtension)
    }

    /// The most combinations of kind, app or site, version and system that one day keeps.
    package static let clientLimit = 2000

    package mutating func trim() {
        let ranks = clientRanks.values
        if ranks.count > CallerDay.clientLimit { pool(from: ranks.sorted()[CallerDay.clientLimit]) }
    }

    /// The combinations that have a name, by what is the same in all of their browsers, and in which order they stay.
    var clientRanks: [UInt64: UInt64] {
        var ranks: [UInt64: UInt64] = [:]
        for (callers, isSignedIn) in [(signedIn, true), (signedOut, false)] {
            for client in callers.clients.keys where client.version != nil {
                let rank = client.rank(isSignedIn: isSignedIn)
                ranks[client.rank(isSignedIn: true)] = min(ranks[client.rank(isSignedIn: true)] ?? rank, rank)
            }
        }
        return ranks
    }

    /// Leaves no room for the names of combinations from a rank on.
    mutating func pool(from rank: UInt64) {
        let ranks = clientRanks
        for callers in [\CallerDay.signedIn, \.signedOut] {
            self[keyPath: callers].pool { client in ranks[client.rank(isSignedIn: true)].map { $0 >= rank } ?? true }
        }
    }
}
