internal import GRDB
internal import Verifications

/// What was taken out of a store that nobody needs.
public struct CompactedStore: Sendable {
    /// Inputs that were in the list more than once.
    public var inputs = 0
    public var bytesBefore = 0
    public var bytesAfter = 0
}

extension HistoryStore {
    /// Lists each input once, as it is since version 2 of the tables, and gives back space that is not used.
    public func compact() throws(HistoryFailure) -> CompactedStore {
        defer { forget() }
        var compacted = CompactedStore()
        compacted.bytesBefore = try attempt { try queue.read(HistoryStore.bytes) }
        compacted.inputs = try write { register in
            let merged = try register.mergeInputs()
            if merged > 0 { try register.close() }
            return merged
        }
        try attempt { try queue.vacuum() }
        compacted.bytesAfter = try attempt { try queue.read(HistoryStore.bytes) }
        return compacted
    }
}

extension Register {
    /// - Returns: How many inputs were in the list already.
    fileprivate func mergeInputs() throws -> Int {
        let all = try inputs()
        var first: [InputIdentity: Int] = [:]
        var merged: [Int: Int] = [:]
        for row in all {
            let identity = InputIdentity(of: row)
            // One that added anything was no copy then.
            if let number = first[identity], row.summary.verifications == 0 {
                merged[row.id] = number
            } else if first[identity] == nil {
                first[identity] = row.id
            }
        }
        for row in all where merged[row.id] == nil {
            guard let number = row.replacedBy.flatMap({ merged[$0] }), var row = try input(row.id) else { continue }
            row.replacedBy = number == row.id ? nil : number
            try put(row)
        }
        try remove(inputs: all.filter { merged[$0.id] != nil })
        return merged.count
    }
}
