internal import Verifications

/// What keeps evidence from counting on two nights: hashes of rows, lines and verifications, of which the ledger of a
/// history knows those that were counted.
extension EvidenceJoin {
    /// What a hash stands for.
    enum Mark: UInt64 {
        /// A row without a verification.
        case row = 1
        /// A row that was joined.
        case taken
        /// A verification that was joined with a row.
        case joined
        /// A verification of which the cause was counted.
        case explained
        case line
    }

    /// Takes note of a row.
    ///
    /// - Returns: False when an earlier run has counted it, or its day takes nothing any more.
    func note(_ row: PackedRow, isTaken: Bool) -> Bool {
        guard let ledger else { return true }
        guard ledger.isOpen(row.day) else { return false }
        let (plain, taken) = (hash(of: row, .row), hash(of: row, .taken))
        let isNew = !ledger.knows(plain, on: row.day) && !ledger.knows(taken, on: row.day)
        if isTaken {
            ledger.add(taken, on: row.day)
        } else if isNew {
            ledger.add(plain, on: row.day)
        }
        return isNew
    }

    /// Takes note of a line that counts by itself.
    ///
    /// - Returns: False when an earlier run has counted it, or its day takes nothing any more.
    func note(_ line: PackedLine) -> Bool {
        let words = line.words
        return note(hash(.line, [services[Int(line.service)], line.key, words.second, words.third]), on: line.day)
    }

    /// Takes note of a verification whose cause is known.
    ///
    /// - Returns: False when an earlier run has counted it, or its day takes nothing any more.
    func noteCause(of record: SeenRecord) -> Bool {
        guard ledger != nil, let instant = record.instant else { return true }
        let function = functionHashes[Int(record.function)]
        return note(hash(.explained, [function] + EvidenceJoin.words(of: record, instant)), on: instant.day)
    }

    private func note(_ hash: UInt64, on day: Day) -> Bool {
        guard let ledger else { return true }
        guard ledger.isOpen(day), !ledger.knows(hash, on: day) else { return false }
        ledger.add(hash, on: day)
        return true
    }

    func hash(of row: PackedRow, _ mark: Mark) -> UInt64 {
        hash(mark, [services[Int(row.service)], row.request.word, row.fingerprint])
    }

    /// The request is one of the function's.
    func hash(of record: SeenRecord, _ request: RequestKey) -> UInt64 {
        guard let instant = record.instant else { return 0 }
        return hash(.joined, [request.word, UInt64(record.key)] + EvidenceJoin.words(of: record, instant))
    }

    /// What copies of a verification have in common, whether or not they name the execution.
    private static func words(of record: SeenRecord, _ instant: Instant) -> [UInt64] {
        let statuses = UInt64(record.app.rawValue) << 8 | UInt64(record.auth.rawValue)
        return [
            UInt64(bitPattern: instant.seconds), UInt64(instant.nanoseconds), UInt64(record.rank),
            statuses << 8 | UInt64(record.provenance.rawValue),
        ]
    }

    private func hash(_ mark: Mark, _ words: [UInt64]) -> UInt64 {
        words.reduce(mixed(mark.rawValue)) { mixed($0 ^ $1) }
    }
}
