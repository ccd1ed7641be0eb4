internal import Entries
internal import Verifications

/// The sources, functions and clients that a store knows, without looking at entries.
///
/// It stays in memory between the transactions of a run, as long as nobody else writes to the store.
final class Catalogue {
    var revision: Int
    /// By their contents.
    private(set) var sources: [UInt64: SourceRecord]
    /// In the same order in every run.
    var sortedSources: [SourceRecord] { sources.values.sorted { $0.contents < $1.contents } }
    private(set) var names: [UInt64: ServiceName]
    private(set) var versions = ClientVersions()
    var days: [DayIndex: KnownDay] = [:]

    init(_ store: StoreTransaction) throws {
        revision = store.root.revision
        sources = try store.values(of: .sources)
        names = try store.values(of: .names)
        let clients: [UInt64: ClientVersion] = try store.values(of: .clients)
        for (hash, version) in clients { versions.add(version, hash: hash) }
        guard sources.allSatisfy({ $0 == $1.contents && $1.isPossible }) else { throw StoreFailure.damaged(.sources) }
        guard clients.values.allSatisfy(\.isSpelled) else { throw StoreFailure.damaged(.clients) }
    }

    func put(_ source: SourceRecord, _ store: StoreTransaction) throws {
        let former = sources.updateValue(source, forKey: source.contents)
        guard former != source else { return }
        try store.put(source, as: source.contents, in: .sources, isKnown: former != nil)
    }

    func merge(_ names: [UInt64: ServiceName], _ versions: ClientVersions, _ store: StoreTransaction) throws {
        for (hash, name) in names {
            let former = self.names[hash]
            var merged = former ?? name
            merged.merge(name)
            guard merged != former else { continue }
            self.names[hash] = merged
            try store.put(merged, as: hash, in: .names, isKnown: former != nil)
        }
        let former = self.versions
        self.versions.merge(versions)
        self.versions.trim()
        for (hash, version) in self.versions.all where former[hash] != version {
            try store.put(version, as: hash, in: .clients, isKnown: former[hash] != nil)
        }
        for (hash, _) in former.all where self.versions[hash] == nil { try store.remove(hash, from: .clients) }
    }

    func keep(
        where isFunction: (UInt64) -> Bool, where isVersion: (UInt64) -> Bool, _ store: StoreTransaction
    ) throws {
        for hash in names.keys where !isFunction(hash) { try store.remove(hash, from: .names) }
        for (hash, _) in versions.all where !isVersion(hash) { try store.remove(hash, from: .clients) }
        names = names.filter { isFunction($0.key) }
        versions.keep(isVersion)
    }

    /// Entries of days take about 30 bytes each.
    private static let mostEntries = 2_000_000

    func trimDays() {
        guard days.values.reduce(0, { $0 + $1.entries.count }) > Catalogue.mostEntries else { return }
        for day in days.values { (day.entries, day.covered) = (KnownEntries(), []) }
    }
}

extension ClientVersion {
    private static let spelling = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+".utf8)

    /// True for what is spelled as in user agents and hosts, of which the longest have 253 bytes: it is shown as it is.
    fileprivate var isSpelled: Bool {
        [app, version, os].allSatisfy {
            $0.utf8.count <= 253 && $0.utf8.allSatisfy(ClientVersion.spelling.contains)
        }
    }
}
