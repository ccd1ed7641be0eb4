internal import GRDB
public import Readiness
public import Verifications

/// What a pass over an input found to be new.
public struct CountedInput: Sendable {
    public var tally: Tally
    public var summary: InputSummary
    public var ranks: NameRanks

    public init(tally: Tally, summary: InputSummary, ranks: NameRanks) {
        self.tally = tally
        self.summary = summary
        self.ranks = ranks
    }
}

/// What became of an input.
public struct IngestOutcome: Sendable {
    /// What was read; ``InputSummary/verifications`` were added.
    public var summary: InputSummary
    /// The input's number in the store; nil when there was nothing to write down, or nothing was to be.
    public var number: Int?
    /// The damaged input in whose place this intact copy of it stands now.
    public var replaced: ReplacedInput?
    /// The number of the intact input that this damaged one is a copy of: nothing of it was added.
    public var original: Int?
}

/// A damaged input that an intact copy has taken the place of.
public struct ReplacedInput: Sendable {
    public let number: Int
    public let name: String
    /// Its counts, which were taken away.
    public let verifications: Int
}

extension HistoryStore {
    /// Adds an input: one transaction, which waits for other writers before it looks at anything.
    ///
    /// - Parameters:
    ///   - name: The input's path as given, or `-`.
    ///   - size: Its size as stored, in bytes; nil when it is not known beforehand, or the input can be read only once.
    ///   - now: The present.
    ///   - count: Reads the input and asks the ledger which verifications are new. May be called a second time, when
    ///     the input only looked like a copy of a damaged one.
    /// - Returns: What was added.
    /// - Throws: ``HistoryFailure``; the store is as it was then.
    public func ingest(
        _ name: String, size: Int?, at now: Instant, count: (any CountLedger) -> CountedInput
    ) throws(HistoryFailure) -> IngestOutcome {
        let (outcome, revision) = try write { register in
            if register.settings.revision != self.revision { forget() }
            let damaged = try register.damagedInput(ofSize: size)
            var counted = try pass(register, rival: damaged?.id, count: count)
            var replaced: InputRow?
            if let rival = ledger.rival {
                if counted.summary.isTrustworthy && rival.found * 2 >= rival.known.count {
                    replaced = damaged
                } else {
                    forget()
                    counted = try pass(register, rival: nil, count: count)
                }
            }
            guard counted.summary.sources > 0, !counted.summary.faults.contains(.unsupported) else {
                return (IngestOutcome(summary: counted.summary), register.settings.revision)
            }
            let number = try register.nextInput()
            let layer = counted.summary.isTrustworthy ? 0 : number
            let original = try layer == 0 ? nil : register.intactInput(ofSize: size, holding: counted.summary)
            if original != nil {
                counted.leaveOut()
                forget()
            }
            var row = InputRow(
                id: number, name: name, ingestedAt: now, size: size ?? counted.summary.bytesRead,
                content: ledger.content, summary: counted.summary)
            row.replacedBy = original
            try register.put(row)
            for (place, problem) in counted.summary.problems.entries.enumerated() where problem.kind != .more {
                try register.put(ProblemRow(input: number, number: place + 1, problem))
            }
            let gone = try replaced.map { try register.replace($0, by: number) }
            try ledger.write(to: register, layer: layer)
            try register.add(counted.tally, ranks: counted.ranks, layer: layer, names: &names)
            if layer == 0, let newest = counted.tally.newest {
                register.settings.newest = max(register.settings.newest ?? newest, newest)
            }
            try register.close()
            let outcome = IngestOutcome(
                summary: counted.summary, number: number, replaced: gone, original: original)
            return (outcome, register.settings.revision)
        }
        self.revision = revision
        return outcome
    }

    /// Tells what ``ingest(_:size:at:count:)`` would add; nothing is written.
    ///
    /// What this has said of earlier inputs is taken into account.
    public func trial(_ count: (any CountLedger) -> CountedInput) throws(HistoryFailure) -> IngestOutcome {
        try attempt {
            try queue.read { db in
                let counted = try pass(try Register(db), rival: nil, count: count)
                return IngestOutcome(summary: counted.summary)
            }
        }
    }

    private func pass(
        _ register: Register, rival: Int?, count: (any CountLedger) -> CountedInput
    ) throws -> CountedInput {
        try ledger.begin(register, rival: rival)
        let counted = count(ledger)
        try ledger.end()
        return counted
    }
}

extension InputSummary {
    /// False when compressed data may have come out as other data than was put in.
    ///
    /// A stream that is cut off gives what it was made from, up to there; one whose check sum differs, or that breaks
    /// off in the middle, may have given records that nobody wrote.
    var isTrustworthy: Bool {
        !problems.entries.contains { problem in
            switch problem.kind {
            case .corruptGzip, .checksumMismatchGzip, .lengthMismatchGzip, .corruptZlib, .checksumMismatchZlib: true
            default: false
            }
        }
    }
}

extension CountedInput {
    /// Counts nothing of what looked new.
    fileprivate mutating func leaveOut() {
        summary.filtered += summary.verifications
        summary.verifications = 0
        summary.undated = 0
        tally = Tally()
    }
}

extension Register {
    /// The intact input that a damaged one is a copy of: of the same size, and most of what could be read is known.
    func intactInput(ofSize size: Int?, holding summary: InputSummary) throws -> Int? {
        guard let size, summary.duplicates >= summary.verifications else { return nil }
        return try rows(InputRow.self, where: "size = ? AND faults = 0", [size.databaseValue]).first?.id
    }

    func nextInput() throws -> Int {
        try (Int.fetchOne(db, sql: "SELECT max(id) FROM inputs") ?? 0) + 1
    }

    /// A damaged input of that size whose counts are still kept apart.
    func damagedInput(ofSize size: Int?) throws -> InputRow? {
        guard let size else { return nil }
        let layers = try Int.fetchSet(db, sql: "SELECT DISTINCT layer FROM ledger WHERE layer != 0")
        guard !layers.isEmpty else { return nil }
        return try rows(InputRow.self, where: "size = ?", [size.databaseValue]).first { layers.contains($0.id) }
    }

    /// Takes a damaged input's counts away: those of an intact copy stand in their place.
    func replace(_ damaged: InputRow, by number: Int) throws -> ReplacedInput {
        try removeLayer(damaged.id)
        let count = damaged.summary.verifications
        var row = damaged
        row.summary.duplicates += count
        row.summary.verifications = 0
        row.summary.undated = 0
        row.replacedBy = number
        try put(row)
        return ReplacedInput(number: damaged.id, name: damaged.name, verifications: count)
    }
}
