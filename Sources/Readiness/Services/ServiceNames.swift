package import Verifications

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

    package var serviceName: String { knownService?.name ?? name }

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
