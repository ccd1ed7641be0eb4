package import Verifications

/// The facts known of a service apart from its days: its hours, its apps, its mode.
package struct ServiceFacts: Hashable, Sendable {
    /// The status of a request's token in the metric.
    package enum Security: String, CaseIterable, Sendable {
        case valid = "VALID"
        /// A token that was used before.
        case consumed = "CONSUMED"
        case invalid = "INVALID"
        /// No token, but it looks like a Firebase SDK.
        case outdatedClient = "MISSING_OUTDATED_CLIENT"
        /// Neither a token nor an SDK: anybody with curl, or a page that loads files by their URL.
        case unknownOrigin = "MISSING_UNKNOWN_ORIGIN"
        case other = ""
    }

    package struct App: Hashable, Sendable {
        package let name: String
        package let requests: Int
    }

    /// T of the project's services.
    package let asOf: Instant
    /// The apps with verified requests, most requests first; refused ones have none.
    package let apps: [App]
    /// In order.
    let hours: [ServiceHour]
    /// Days on which any service of the project has a count, in order.
    let projectDays: [Day]
    package let mode: ServiceCounts.Mode?
    /// True for what Google enforces for everybody, and nobody can switch off.
    package let isEnforcedByGoogle: Bool

    /// True where its mode decides, not its counts.
    var isDecided: Bool { isEnforcedByGoogle || mode != nil }

    /// True where an hour of the day means nothing.
    var isCoarse: Bool { hours.contains(where: \.isCoarse) }

    /// Requests of some days by token; verified ones that were denied are among the others.
    package func count(_ security: Security, in window: Window?) -> Int {
        hours.filter { window?.days.contains($0.start.day) ?? false }
            .reduce(0) { $0 + $1.count { $0.shown == security } }
    }
}

/// The requests of a service in one hour, or in a longer period that begins in it.
struct ServiceHour: Hashable, Sendable {
    /// The properties of requests that matter to the rule.
    struct Kind: Hashable, Sendable {
        let security: ServiceFacts.Security
        let isDenied: Bool
        /// False for requests that anybody can send: the rule counts them as signed out.
        let isSignedIn: Bool

        /// The token's status; a denied request is blocked, regardless of its token.
        var app: TokenStatus {
            switch security {
            case .valid, .consumed: isDenied ? .other : .valid
            case .invalid: .invalid
            case .outdatedClient, .unknownOrigin: .missing
            case .other: .other
            }
        }

        var auth: TokenStatus { isSignedIn ? .valid : .missing }
        var shown: ServiceFacts.Security { app == .other ? .other : security }

        /// The sign of whether enforcement is on: a request that is let through may be an exception.
        var sign: EnforcementSign.Line {
            if isDenied { return .refused }
            return [.invalid, .outdatedClient].contains(security) ? .allowing : app == .valid ? .none : .exempt
        }
    }

    let start: Instant
    /// True for a longer period.
    var isCoarse = false
    var requests: [Kind: Int] = [:]

    /// The requests of the kinds that are meant.
    func count(where isMeant: (Kind) -> Bool) -> Int {
        requests.reduce(0) { isMeant($1.key) ? $0 + $1.value : $0 }
    }
}

extension FunctionIdentity {
    /// The names of services, and the words by which people select them.
    private static let services: [(id: String, name: String, words: [String])] = [
        ("firestore", "Cloud Firestore", []),
        ("firebasestorage", "Cloud Storage", ["storage"]),
        ("firebasedatabase", "Realtime Database", ["database"]),
        ("identitytoolkit", "Authentication", ["auth"]),
        ("firebasedataconnect", "Data Connect", ["dataconnect"]),
        ("firebaseml", "AI Logic", ["ailogic"]),
        ("oauth2", "Google Identity for iOS", []),
        ("maps-backend", "Maps JavaScript API", ["maps"]),
        ("places", "Places API", []),
    ]

    private static let serviceNames = Set(services.flatMap { [$0.name, "service:\($0.name)"] }.map(normalized))

    /// True for the name that people know a service by, which may have spaces.
    package static func isNameOfService(_ text: String) -> Bool { serviceNames.contains(normalized(text)) }

    private var knownService: (id: String, name: String, words: [String])? {
        FunctionIdentity.services.first { name == "\($0.id).googleapis.com" }
    }

    var serviceName: String { knownService?.name ?? name }

    /// True for AI Logic, which Google has enforced for everybody since 2 November 2026.
    var isEnforcedByGoogle: Bool { knownService?.id == "firebaseml" }

    /// True where pages load files by URL, without a token: its requests of unknown origin are people's.
    var isLoadedByURL: Bool { ["firebasestorage", "maps-backend", "places"].contains(knownService?.id) }

    /// All names by which a pattern selects a function or a service.
    func names(shownAs name: String) -> [String] {
        guard isService else { return [name, self.name] }
        let words = [name, self.name] + (knownService.map { [$0.id] + $0.words } ?? [])
        return words + words.map { "service:\($0)" }
    }
}

extension Glob {
    /// True for a function or a service that the pattern selects; stars alone mean functions.
    package func matches(_ identity: FunctionIdentity, shownAs name: String) -> Bool {
        if identity.isService, pattern.allSatisfy({ $0 == "*" || $0 == "?" }) { return false }
        return identity.names(shownAs: name).contains(where: matches)
    }

    /// The same of a policy, which must not mean a service by the name of a function, such as `auth` or `places`.
    func covers(_ identity: FunctionIdentity, shownAs name: String) -> Bool {
        guard identity.isService, !pattern.hasPrefix("service:") else { return matches(identity, shownAs: name) }
        return pattern.contains { $0 == "." || $0 == " " } && matches(identity, shownAs: name)
    }
}
