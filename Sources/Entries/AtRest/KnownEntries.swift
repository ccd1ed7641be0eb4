internal import Verifications

/// Entries of a day as far as it takes to tell whether others are copies of them.
package struct KnownEntries: Sendable {
    /// By a hash of what copies have in common, hashes of the fields that one of them may lack: two of 32 bits, zero
    /// for nothing.
    private var entries: [UInt64: UInt64] = [:]

    package init() {}
    package var count: Int { entries.count }

    package mutating func insert(_ new: DayEntries, of service: UInt64) {
        new.forEachMark(of: service) { copyHash, optionalFieldsHash in
            let known = entries[copyHash] ?? 0
            entries[copyHash] =
                known | (known >> 32 == 0 ? optionalFieldsHash & ~KnownEntries.low : 0)
                | (known & KnownEntries.low == 0 ? optionalFieldsHash & KnownEntries.low : 0)
        }
    }

    /// The number of verifications without a copy.
    package func lack(_ new: DayEntries, of service: UInt64) -> Int {
        new.parts.reduce(0) { count, part in
            var count = count
            part.forEach { if entries[$0.copyHash(service)] == nil { count += 1 } }
            return count
        }
    }

    fileprivate func contains(_ copyHash: UInt64, _ optionalFieldsHash: UInt64) -> Bool {
        guard let known = entries[copyHash] else { return false }
        let (high, low) = (optionalFieldsHash >> 32, optionalFieldsHash & KnownEntries.low)
        return (high == 0 || high == known >> 32) && (low == 0 || low == known & KnownEntries.low)
    }

    private static let low: UInt64 = 0xFFFF_FFFF
}

extension DayEntries {
    /// Leaves out what is known, and says whether that was anything; what stays is new, or says more.
    package mutating func leaveOut(_ known: KnownEntries, of service: UInt64) -> Bool {
        var (rest, isLess) = (DayEntries(), false)
        rest.records = records
        for part in parts {
            var new = Part(part.revision, part.shape)
            part.forEach { entry in
                let isKnown = known.contains(
                    entry.copyHash(service), entry.optionalFieldsHash | part.revision.optionalFieldsHash)
                if isKnown { isLess = true } else { new.append(entry) }
            }
            part.rows.forEach { row in
                let isKnown = known.contains(
                    row.copyHash(service), row.optionalFieldsHash | part.revision.optionalFieldsHash)
                if isKnown { isLess = true } else { new.rows.append(row) }
            }
            if new.verifications + new.rows.count > 0 { rest.add(new) }
        }
        lines.forEach { line in
            if known.contains(line.copyHash(service), 0) { isLess = true } else { rest.lines.append(line) }
        }
        if isLess { self = rest }
        return isLess
    }

    fileprivate func forEachMark(of service: UInt64, _ body: (UInt64, UInt64) -> Void) {
        for part in parts {
            part.forEach { body($0.copyHash(service), $0.optionalFieldsHash | part.revision.optionalFieldsHash) }
            part.rows.forEach { body($0.copyHash(service), $0.optionalFieldsHash | part.revision.optionalFieldsHash) }
        }
        lines.forEach { body($0.copyHash(service), 0) }
    }
}

extension TracedEntry {
    fileprivate func copyHash(_ service: UInt64) -> UInt64 {
        let key = entry.copyKey
        return mixed(mixed(key.first ^ service) ^ key.second)
    }

    fileprivate var optionalFieldsHash: UInt64 {
        request == .none ? 0 : hash32(request.trace << 32 ^ UInt64(request.span)) << 32
    }
}

extension EntryRow {
    fileprivate func copyHash(_ service: UInt64) -> UInt64 {
        mixed(mixed(mixed(first ^ service) ^ second) ^ UInt64(fingerprint))
    }

    fileprivate var optionalFieldsHash: UInt64 { hash32(mixed(third) ^ UInt64(address)) << 32 }
}

extension EntryLine {
    fileprivate func copyHash(_ service: UInt64) -> UInt64 { mixed(mixed(mixed(first ^ service) ^ second) ^ third) }
}

extension Revision {
    fileprivate var optionalFieldsHash: UInt64 { self == .none ? 0 : hash32(word) }
}

private func hash32(_ word: UInt64) -> UInt64 { max(1, mixed(word) >> 32) }
