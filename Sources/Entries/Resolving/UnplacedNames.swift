internal import Verifications

/// The functions of entries that name no project or no region: the only function of their name, if there is one.
///
/// By the keyed hashes of the names, as sets have them.
struct UnplacedNames: Sendable {
    private var placedHashes: [UInt64: UInt64] = [:]

    init(_ names: [UInt64: ServiceName]) {
        let functions = names.compactMap { hash, name in name.identity.map { (hash: hash, identity: $0, name: name) } }
        let homeless = functions.filter { !$0.identity.isPlaced && $0.identity.name != FunctionIdentity.unknown }
        guard !homeless.isEmpty else { return }
        var placed: [String: [(hash: UInt64, identity: FunctionIdentity)]] = [:]
        for function in functions where function.identity.isPlaced {
            let names = [function.identity.name, function.name.label?.text].compactMap(\.self)
            for name in Set(names.map(FunctionIdentity.normalized)) {
                placed[name, default: []].append((function.hash, function.identity))
            }
        }
        for function in homeless {
            let found = (placed[FunctionIdentity.normalized(function.identity.name)] ?? []).filter {
                function.identity.mayBe($0.identity)
            }
            if found.count == 1 { placedHashes[function.hash] = found[0].hash }
        }
    }

    func contains(_ hash: UInt64) -> Bool { placedHashes[hash] != nil }

    func mergeIntoPlaced<Value>(_ values: inout [UInt64: Value], _ merge: (inout Value?, Value) -> Void) {
        for (hash, home) in placedHashes {
            guard let value = values.removeValue(forKey: hash) else { continue }
            merge(&values[home], value)
        }
    }
}

extension FunctionIdentity {
    fileprivate var isPlaced: Bool { project != FunctionIdentity.unknown && region != FunctionIdentity.unknown }

    fileprivate func mayBe(_ other: FunctionIdentity) -> Bool {
        (project == FunctionIdentity.unknown || ExactName(project) == ExactName(other.project))
            && (region == FunctionIdentity.unknown || ExactName(region) == ExactName(other.region))
            && (generation == nil || generation == other.generation)
    }
}

extension EntrySet {
    mutating func mergeIntoPlaced(_ placedHashes: UnplacedNames) {
        placedHashes.mergeIntoPlaced(&services) { home, service in
            var service = service
            // Their identities were made with another name: they are compared like those without an `insertId`.
            service.shape(nil)
            service.name = ServiceName()
            home = home ?? ServiceEntries()
            home?.merge(service)
        }
    }
}

extension Ledger {
    mutating func mergeIntoPlaced(_ placedHashes: UnplacedNames) {
        placedHashes.mergeIntoPlaced(&names) { _, _ in }
        placedHashes.mergeIntoPlaced(&services) { home, service in
            home = home ?? Service()
            home?.merge(service)
        }
    }
}
