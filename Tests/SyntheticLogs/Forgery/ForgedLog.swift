package import Verifications

/// A log in which clients made functions write entries that look like the SDK's, and the truth about it.
///
/// ```swift
/// let log = try ForgedLog(Preset.oneDay.scenario(seed: 1), forgeries: [.label], share: 0.1)
/// log.discarded.values.map(\.otherMessage)  // [212, 87, …]
/// ```
package struct ForgedLog: Sendable {
    /// What a reader throws away of a function.
    package struct Discarded: Hashable, Sendable {
        package internal(set) var unlabelled = 0
        package internal(set) var otherMessage = 0
        package internal(set) var repeated = 0

        package init() {}
    }

    /// One entry each, as a Cloud Storage sink writes them.
    package private(set) var lines: [String] = []
    /// What is left when every recognisable forgery has been thrown away.
    ///
    /// For each execution, the entry with the earliest time counts, whoever wrote it.
    package private(set) var truth = Truth()
    /// Functions without a forgery are not in it.
    package private(set) var discarded: [FunctionIdentity: Discarded] = [:]

    private let generator: Generator

    /// Plays a scenario in which clients forge.
    ///
    /// - Parameters:
    ///   - scenario: What the SDK writes.
    ///   - forgeries: What clients send; a request carries one of them, or several.
    ///   - share: The share of requests that carry one.
    ///   - hasExecutionIDs: False for functions deployed before their framework set the label `execution_id`.
    /// - Throws: Only what the generator throws.
    package init(_ scenario: Scenario, forgeries: [Forgery], share: Double, hasExecutionIDs: Bool = true) throws {
        generator = Generator(scenario)
        var sink = CollectingSink(hasExecutionIDs: hasExecutionIDs)
        _ = try generator.run(into: &sink)
        var random = SeededRandom(seed: scenario.seed, name: "forgeries")
        var forged: [ForgedEntry] = []
        var displaced: Set<InsertID> = []
        var recorder = TruthRecorder(generator.deployments, .lines)

        for real in sink.entries where real.verification != nil && !real.isCopy && real.timestamp != nil {
            var ofRequest: [ForgedEntry] = []
            while !forgeries.isEmpty, random.chance(share) {
                ofRequest.append(ForgedEntry(random.pick(forgeries), with: real, using: &random))
            }
            forged += ofRequest
            if settle(ofRequest, of: real, &recorder) { displaced.insert(real.insertID) }
        }
        for real in sink.entries {
            if real.verification != nil, !real.isCopy, displaced.contains(real.insertID) {
                recorder.noteIgnored(real)
                discard(real) { $0.repeated += 1 }
            } else {
                recorder.note(real)
            }
        }
        truth = recorder.truth
        lines = texts(of: sink.entries, forged)
    }

    /// Notes what becomes of the forgeries that came with a request.
    ///
    /// - Returns: True when one of them replaces the SDK's entry.
    private mutating func settle(
        _ forged: [ForgedEntry], of real: LogEntry, _ recorder: inout TruthRecorder
    ) -> Bool {
        var rivals: [ForgedEntry] = []
        for one in forged {
            switch one.forgery.flaw {
            case .unlabelled:
                recorder.noteIgnored(one.entry)
                discard(one.entry) { $0.unlabelled += 1 }
            case .otherMessage:
                recorder.noteIgnored(one.entry)
                discard(one.entry) { $0.otherMessage += 1 }
            case nil where one.entry.sharesExecution(with: real):
                rivals.append(one)
            case nil:
                recorder.note(one.believed)
            }
        }
        let earliest = rivals.filter { one in one.believedTime.map { $0 < real.timestamp ?? $0 } ?? false }
            .min { ($0.believedTime, $0.entry.insertID) < ($1.believedTime, $1.entry.insertID) }
        for rival in rivals {
            if rival.entry.insertID == earliest?.entry.insertID {
                recorder.note(rival.believed)
            } else {
                recorder.noteIgnored(rival.entry)
                discard(rival.entry) { $0.repeated += 1 }
            }
        }
        return earliest != nil
    }

    private mutating func discard(_ entry: LogEntry, _ change: (inout Discarded) -> Void) {
        change(&discarded[generator.deployments[entry.deployment].identity, default: Discarded()])
    }

    /// All entries in the order in which they were received.
    private func texts(of entries: [LogEntry], _ forged: [ForgedEntry]) -> [String] {
        let writer = LineWriter(deployments: generator.deployments)
        let forger = ForgedEntryWriter(generator.deployments)
        var texts: [(receivedAt: Instant, bytes: [UInt8])] = []
        for entry in entries {
            texts.append((entry.deliveredAt, []))
            writer.appendObject(entry, to: &texts[texts.count - 1].bytes)
        }
        for one in forged {
            texts.append((one.entry.receiveTimestamp ?? one.entry.deliveredAt, []))
            forger.append(one, to: &texts[texts.count - 1].bytes)
        }
        return texts.sorted { $0.receivedAt < $1.receivedAt }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}

private struct CollectingSink: EntrySink {
    let hasExecutionIDs: Bool
    private(set) var entries: [LogEntry] = []

    init(hasExecutionIDs: Bool) {
        self.hasExecutionIDs = hasExecutionIDs
    }

    mutating func write(_ entry: LogEntry) {
        var entry = entry
        if !hasExecutionIDs { entry.executionID = nil }
        entries.append(entry)
    }
}

extension LogEntry {
    /// True when both name the same execution: by its label where both have one, else by trace and span.
    fileprivate func sharesExecution(with other: LogEntry) -> Bool {
        guard executionID == nil || other.executionID == nil else { return executionID == other.executionID }
        return trace != nil && trace == other.trace && spanID != nil && spanID == other.spanID
    }
}

/// Orders by time, then by id; entries without a time come last.
private func < (left: (Instant?, InsertID), right: (Instant?, InsertID)) -> Bool {
    guard left.0 != right.0 else { return left.1 < right.1 }
    guard let leftTime = left.0, let rightTime = right.0 else { return left.0 != nil }
    return leftTime < rightTime
}
