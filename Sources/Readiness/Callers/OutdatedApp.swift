import Verifications

/// The version of an iOS app up to which nearly all of its requests come that would be refused.
package struct OutdatedApp: Hashable, Sendable {
    /// The bundle identifier.
    package let app: String
    package let version: String
    /// Blocked requests of this version and older ones.
    package let blocked: Int
    /// Blocked requests of all versions of the app.
    package let ofApp: Int

    /// Nil without such an app, and where newer versions are refused just as well.
    init?(_ callers: Callers) {
        let known = callers.clients.filter { $0.key.kind == .ios && $0.key.version != nil }
        let apps = Dictionary(grouping: known) { $0.key.version?.app ?? "" }
        let largest = apps.max { ($0.value.sum(\.blocked), $1.key) < ($1.value.sum(\.blocked), $0.key) }
        guard let (app, clients) = largest, case let ofApp = clients.sum(\.blocked),
            ofApp >= WindowClients.fewest
        else { return nil }
        let versions = Dictionary(grouping: clients) { ReleaseNumber($0.key.version?.version ?? "") }
            .mapValues { clients in
                let names = clients.compactMap { $0.key.version.map { ExactName($0.version) } }
                return (
                    name: names.min()?.text ?? "", admitted: clients.sum(\.admitted), blocked: clients.sum(\.blocked)
                )
            }
        let admitted = clients.sum(\.admitted)
        var older = (admitted: 0, blocked: 0)
        for (_, counts) in versions.sorted(by: { $0.key < $1.key }).dropLast() {
            older.admitted += counts.admitted
            older.blocked += counts.blocked
            guard older.blocked * 10 >= ofApp * 9, !counts.name.isEmpty else { continue }
            // Newer versions have at most half as large a share blocked.
            guard 2 * (ofApp - older.blocked) * older.admitted <= older.blocked * (admitted - older.admitted) else {
                return nil
            }
            (self.app, self.version, blocked, self.ofApp) = (app, counts.name, older.blocked, ofApp)
            return
        }
        return nil
    }
}

extension Sequence<(key: Client, value: ClientSum)> {
    fileprivate func sum(_ requests: (ClientSum) -> Int) -> Int { reduce(0) { $0 + requests($1.value) } }
}
