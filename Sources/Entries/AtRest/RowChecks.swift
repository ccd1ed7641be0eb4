internal import Verifications

/// Parts of a store that may be any bytes: for fuzzers and tests alone.
@_spi(Checks) public enum RowChecks {
    /// True when a part is refused, or what it holds is the same after it was written once more.
    public static func isStable(part bytes: [UInt8], day: Int) -> Bool {
        guard let part = try? PackedPart(bytes, of: DayIndex(number: day)), let entries = entries(of: [part])
        else { return true }
        let written = PackedPart.pack(entries, of: part.day, source: part.source)
        guard let read = Self.entries(of: written) else { return false }
        return read.keys == entries.filter { !$0.value.isEmpty }.keys
            && read.allSatisfy { hash, entries in
                guard let known = Self.entries(of: [part])?[hash] else { return false }
                return entries.hasNothing(besides: known) && known.hasNothing(besides: entries)
                    && entries.verifications == known.verifications && entries.rowCount == known.rowCount
                    && entries.lines.count == known.lines.count
            }
    }

    private static func entries(of parts: [PackedPart]) -> [UInt64: DayEntries]? {
        var entries: [UInt64: DayEntries] = [:]
        for part in parts where (try? part.read(into: &entries) { _ in true }) == nil { return nil }
        return entries
    }
}

extension DayEntries {
    fileprivate func hasNothing(besides known: DayEntries) -> Bool {
        var (rest, marks) = (self, KnownEntries())
        marks.insert(known, of: 0)
        return rest.isEmpty || rest.leaveOut(marks, of: 0) && rest.isEmpty
    }
}
