package import Verifications

/// What is known of a service apart from its days: its apps, its setting, the hours of the day.
package struct ServiceFacts: Hashable, Sendable {
    /// What the metric says of a request's token.
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

    /// Requests of an hour of a day; the signed-in ones are those that are not of unknown origin.
    struct Hour: Hashable, Sendable {
        let start: Instant
        var all = RecentRequests.Count()
        var signedIn = RecentRequests.Count()
    }

    /// T of the project's services.
    package var asOf = Instant(seconds: 0)
    /// The apps with verified requests, most requests first; refused ones have none.
    package var apps: [App] = []
    /// By day: what was counted, denied or not; reused tokens that were denied are among the others.
    var days: [Day: [Security: Int]] = [:]
    /// In order; empty for periods that are longer than an hour.
    var hours: [Hour] = []
    /// Days on which any service of the project has a count, in order.
    var projectDays: [Day] = []
    package var mode: ServiceCounts.Mode?
    /// True for what Google enforces for everybody, and nobody can switch off.
    package var isEnforcedByGoogle = false

    /// Requests of some days by token.
    package func count(_ security: Security, in window: Window?) -> Int {
        guard let window else { return 0 }
        return days.reduce(0) { window.days.contains($1.key) ? $0 + ($1.value[security] ?? 0) : $0 }
    }
}

extension FunctionIdentity {
    /// What people call a service, and the words by which they select it.
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

    private var knownService: (id: String, name: String, words: [String])? {
        FunctionIdentity.services.first { name == "\($0.id).googleapis.com" }
    }

    var serviceName: String { knownService?.name ?? name }

    /// True for AI Logic, which Google has enforced for everybody since 2 November 2026.
    var isEnforcedByGoogle: Bool { knownService?.id == "firebaseml" }

    /// True where pages load files by URL, without a token: its requests of unknown origin are people's.
    var isLoadedByURL: Bool { ["firebasestorage", "maps-backend", "places"].contains(knownService?.id) }

    /// All names by which a pattern finds a function or a service.
    func names(shownAs name: String) -> [String] {
        guard isService else { return [name, self.name] }
        let words = [name, self.name] + (knownService.map { [$0.id] + $0.words } ?? [])
        return words + words.map { "service:\($0)" }
    }
}

extension Glob {
    /// True for a function or a service that the pattern covers; stars alone mean functions.
    package func matches(_ identity: FunctionIdentity, shownAs name: String) -> Bool {
        if identity.isService, pattern.allSatisfy({ $0 == "*" || $0 == "?" }) { return false }
        return identity.names(shownAs: name).contains(where: matches)
    }
}
