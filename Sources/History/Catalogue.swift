internal import Entries
internal import Verifications

/// The sources, functions and clients that a store knows, without looking at entries.
///
/// It stays in memory between the inputs of a run, as long as nobody else writes to the store.
struct Catalogue {
    var revision: Int
    /// By their contents.
    private(set) var sources: Set<UInt64> = []
    private(set) var names: [UInt64: ServiceName] = [:]
    private(set) var versions = ClientVersions()
    let days = KnownDays()

    init(_ store: StoreTransaction, _ body: (SourceRecord) -> Void = { _ in }) throws {
        revision = store.root.revision
        try store.forEachRow(of: .names) { names[$0] = try ServiceName($1) }
        try store.forEachRow(of: .clients) { versions.add(try ClientVersion($1), hash: $0) }
        try store.forEachSource {
            sources.insert($0.contents)
            body($0)
        }
    }

    mutating func put(_ source: SourceRecord, _ store: StoreTransaction) throws {
        try store.put(source.bytes, as: source.contents, in: .sources)
        sources.insert(source.contents)
    }

    mutating func merge(
        _ names: [UInt64: ServiceName], _ versions: ClientVersions, _ store: StoreTransaction
    ) throws {
        for (hash, name) in names {
            var merged = self.names[hash] ?? name
            merged.merge(name)
            guard merged != self.names[hash] else { continue }
            self.names[hash] = merged
            try store.put(merged.bytes, as: hash, in: .names)
        }
        let former = self.versions
        self.versions.merge(versions)
        self.versions.trim()
        for (hash, version) in self.versions.all where former[hash] != version {
            try store.put(version.bytes, as: hash, in: .clients)
        }
        for (hash, _) in former.all where self.versions[hash] == nil { try store.remove(hash, from: .clients) }
    }

    mutating func keep(
        where isFunction: (UInt64) -> Bool, where isVersion: (UInt64) -> Bool, _ store: StoreTransaction
    ) throws {
        for hash in names.keys where !isFunction(hash) { try store.remove(hash, from: .names) }
        for (hash, _) in versions.all where !isVersion(hash) { try store.remove(hash, from: .clients) }
        names = names.filter { isFunction($0.key) }
        versions.keep(isVersion)
    }
}

extension StoreTransaction {
    func source(_ contents: UInt64) throws -> SourceRecord? {
        let found = try row(contents, in: .sources).map { try SourceRecord($0.content, as: contents) }
        // In a damaged tree, a row may be found in its turn and not by its number.
        guard try catalogue.sources.contains(contents) == (found != nil) else { throw StoreFailure.damaged(.sources) }
        return found
    }

    func forEachSource(_ body: (SourceRecord) throws -> Void) throws {
        try forEachRow(of: .sources) { try body(SourceRecord($1, as: $0)) }
    }
}

extension SourceRecord {
    fileprivate init(_ bytes: ArraySlice<UInt8>, as contents: UInt64) throws {
        try self.init(bytes)
        guard self.contents == contents else { throw StoreFailure.damaged(.sources) }
    }
}
