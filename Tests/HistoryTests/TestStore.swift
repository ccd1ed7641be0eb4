import Entries
import Foundation
import History
import TestSupport
import Verifications

extension Store {
    func add(_ source: ReadSource) throws -> AddedInput { try add([source])[0] }
    func add(_ other: Store) throws -> AddedInput { try add(other, name: "other") }
}

extension AddedInput {
    var new: Int { summary.verifications }
    var known: Int { summary.duplicates }
    var tooOld: Int { summary.filtered }
}

/// A store in a temporary directory.
struct TestStore {
    let directory: TemporaryDirectory
    let path: String

    init(_ name: String = "store.db") throws {
        directory = try TemporaryDirectory()
        path = directory.path(name)
    }

    /// A store that has taken sources, in their order.
    init(_ sources: [ReadSource], retentionDays: Int? = nil) throws {
        try self.init()
        let store = try open()
        for source in sources { _ = try store.add(source) }
        _ = try store.finishRun(retentionDays: retentionDays, at: now)
    }

    func open(_ access: Store.Access = .adding) throws -> Store { try Store(path: path, access: access) }

    /// The union of stores, added in their order.
    static func union(_ stores: [TestStore]) throws -> TestStore {
        let union = try TestStore()
        let store = try union.open()
        for other in stores { _ = try store.add(other.open(.reading)) }
        _ = try store.finishRun(retentionDays: nil, at: now)
        return union
    }

    /// What a run without logs makes of stores together.
    static func resolved(_ stores: [TestStore]) throws -> ResolvedSet {
        func resolved(_ stores: ArraySlice<TestStore>, _ opened: [StoredEntries]) throws -> ResolvedSet {
            guard let store = stores.first else {
                return try EntrySet().resolved(Resolution(horizon: now), with: opened)
            }
            return try store.open(.reading).read { try resolved(stores.dropFirst(), opened + [$0]) }
        }
        return try resolved(stores[...], [])
    }

    /// Names of functions, clients and revisions.
    func names() throws -> [String] {
        try open(.reading).read { stored in
            (stored.names.values.map { "\($0)" } + stored.versions.all.map { "\($0)" }).sorted()
        }
    }

    func holdings() throws -> Holdings { try Holdings(open(.reading)) }
}

/// All that a store tells a run and its keeper, in a form that can be compared.
struct Holdings: Equatable {
    private var sources: [UInt64: SourceRecord] = [:]
    private var names: [UInt64: ServiceName]
    private var versions: [UInt64: ClientVersion]
    /// By day, each entry once: as it is packed.
    private(set) var days: [DayIndex: [PackedPart]] = [:]
    private(set) var inputs: [String] = []
    private(set) var firstDays: [String]
    private(set) var verifications = 0

    init(_ store: Store) throws {
        let contents = try store.contents()
        inputs = contents.inputs.map { "\($0.file) \($0.verifications) \($0.isGone)" }
        firstDays = contents.firstDays.map { "\($0.project) \($0.day)" }
        (names, versions) = ([:], [:])
        self = try store.read { stored in
            var found = self
            found.names = stored.names
            found.versions = Dictionary(uniqueKeysWithValues: stored.versions.all)
            for source in stored.sources { found.sources[source.contents] = source }
            for day in stored.days {
                var entries: [UInt64: DayEntries] = [:]
                for part in try stored.load(day) { try part.read(into: &entries) { _ in true } }
                for key in entries.keys { entries[key]?.removeCopies() }
                found.verifications += entries.values.reduce(0) { $0 + $1.verifications }
                found.days[day] = PackedPart.pack(entries, of: day, source: 0)
            }
            return found
        }
    }
}
