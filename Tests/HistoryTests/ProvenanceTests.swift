import Analysis
import History
import Readiness
import TestSupport
import Testing
import Verifications

/// What a store believes, and what of an execution it counts, however its entries come in.
@Suite struct ProvenanceTests {
    private func entry(
        _ name: String = "f", id: String, execution: String? = nil, time: String = "2026-10-14T12:00:00Z",
        app: String = "VALID"
    ) -> EntryText {
        let call = execution.map { #""execution_id":"\#($0)","# } ?? ""
        return EntryText.first(name, app: app, id: id, time: time)
            .with("labels", "{\(call)\"firebase-log-type\":\"callable-request-verification\"}")
    }

    private func forged(_ id: String, time: String = "2026-10-14T12:00:01Z") -> String {
        entry(id: id, time: time).with("labels", "{}").text
    }

    private var otherMessage: String {
        let payload = #"{"message":"got","verifications":{"app":"VALID","auth":"VALID"}}"#
        return entry(id: "other").with("jsonPayload", payload).text
    }

    private func repeated(_ execution: String, count: Int) -> [String] {
        (0..<count).map { number in
            entry(id: "\(execution)-\(number)", execution: execution, time: "2026-10-14T12:00:0\(number)Z").text
        }
    }

    /// Whether a function's SDK writes labels may show on a later night.
    @Test(arguments: [false, true])
    func aLabelDecidesWheneverItComes(isLabelFirst: Bool) throws {
        let nights = try Nights()
        let labelled = [entry(id: "a").text, otherMessage].joined(separator: "\n")
        let text = [forged("b"), forged("c"), forged("c")].joined(separator: "\n")
        try nights.ingest(isLabelFirst ? labelled : text, as: "1.json")
        if !isLabelFirst { #expect(try nights.load().tally.functions.values.first?.provenance == .unlabelled) }
        try nights.ingest(isLabelFirst ? text : labelled, as: "2.json")
        let (stored, whole) = (try nights.load(), try nights.analysis([labelled, text]))
        expectEqual(stored.tally, whole.tally)
        #expect(stored.input.verifications == 1)
        #expect(stored.input.ignored == whole.input.ignored)
        #expect(stored.input.duplicates == 0)
        let discarded = Discarded(unlabelled: 3, unlabelledDistinct: 2, otherMessage: 1)
        #expect(stored.tally.functions.values.first?.discarded == discarded)
    }

    /// Whether the log has messages at all may show on a later night, and in another function.
    @Test(arguments: [false, true])
    func aMessageDecidesWheneverItComes(isMessageFirst: Bool) throws {
        let nights = try Nights()
        let alone = entry(id: "a").with("jsonPayload", #"{"verifications":{"app":"VALID","auth":"VALID"}}"#).text
        let spoken = entry("g", id: "b").text
        try nights.ingest(isMessageFirst ? spoken : alone, as: "1.json")
        #expect(try nights.load().input.verifications == 1)
        try nights.ingest(isMessageFirst ? alone : spoken, as: "2.json")
        let (stored, whole) = (try nights.load(), try nights.analysis([alone, spoken]))
        expectEqual(stored.tally, whole.tally)
        #expect(stored.tally.functions.keys.map(\.name) == ["g"])
        #expect(stored.input.verifications == 1)
        #expect(stored.input.ignored == 1 && whole.input.ignored == 1)
    }

    /// The earliest of one input, whichever is read first.
    @Test func ofAnExecutionOneCounts() throws {
        let nights = try Nights()
        let entries = repeated("run", count: 3)
        let night = [entries[1], entries[0], entries[2]].joined(separator: "\n")
        #expect(try nights.ingest(night, as: "1.json").summary.verifications == 1)
        expectEqual(try nights.load().tally, try nights.analysis([night]).tally)
        // Later inputs know them all, as copies and as repetitions.
        let again = [entries[2], entries[0], entry(id: "new", execution: "run").text].joined(separator: "\n")
        let outcome = try nights.ingest(again, as: "2.json")
        #expect(outcome.summary.verifications == 0)
        #expect(outcome.summary.duplicates + outcome.summary.ignored == 3)
        #expect(try nights.load().tally.functions.values.first?.totals.total == 1)
    }

    /// An execution may last past midnight, and what a function logs may claim a time of the day before.
    @Test(arguments: [
        ("2026-10-14T23:59:59Z", "2026-10-15T00:00:01Z", 1), ("2026-10-15T00:00:01Z", "2026-10-14T23:59:59Z", 1),
        ("2026-10-14T12:00:00Z", "2026-10-16T12:00:00Z", 2),
    ])
    func anExecutionAcrossDays(first: String, second: String, counted: Int) throws {
        let nights = try Nights()
        try nights.ingest(entry(id: "a", execution: "run", time: first).text, as: "1.json")
        try nights.ingest(entry(id: "b", execution: "run", time: second).text, as: "2.json")
        #expect(try nights.load().input.verifications == counted)
    }

    /// If the entries of an execution come in several inputs, the earliest entry counts, whichever is read first.
    @Test(arguments: ["MISSING", "INVALID"], [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
    func theEarliestCountsInAnyOrder(app: String, order: [Int]) throws {
        let nights = try Nights()
        let texts = [
            entry(id: "real", execution: "run", app: "VALID").text,
            entry(id: "forged", execution: "run", time: "2026-10-14T12:00:01Z", app: app).text,
            [
                entry(id: "later", execution: "run", time: "2026-10-14T13:00:00Z", app: app).text,
                entry(id: "other", execution: "other", time: "2026-10-14T14:00:00Z").text,
            ].joined(separator: "\n"),
        ]
        for index in order { try nights.ingest(texts[index], as: "\(index).json") }
        let (stored, whole) = (try nights.load(), try nights.analysis(texts))
        expectEqual(stored.tally, whole.tally)
        #expect(stored.input.verifications == 2 && stored.input.ignored == 2)
        // Copies of what counts no more are known, too.
        for index in order {
            #expect(try nights.ingest(texts[index], as: "again-\(index).json").summary.verifications == 0)
        }
        expectEqual(try nights.load().tally, whole.tally)
    }

    /// Executions of one to three entries, copied and spread over inputs.
    @Test(arguments: 0..<12) func executionsOverSeveralInputs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var texts = Array(repeating: [String](), count: 4)
        for number in 0..<120 {
            for part in 0..<Int.random(in: 1...3, using: &random) {
                // Some last past midnight, and the order of their parts is not that of time.
                let second = Int64(number * 1_439 + part * 700 % 1_439)
                let text = entry(
                    "f\(number % 3)", id: "\(number)-\(part)", execution: "run \(number)",
                    time: Instant(seconds: 1_791_000_000 + second).description,
                    app: ["VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? "VALID"
                ).text
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    texts[Int.random(in: 0..<texts.count, using: &random)].append(text)
                }
            }
        }
        let files = texts.map { $0.shuffled(using: &random).joined(separator: "\n") }
        let nights = try Nights()
        for (index, file) in files.enumerated() { try nights.ingest(file, as: "\(index).json") }
        func counts(_ tally: Tally) -> [FunctionIdentity: [Day: StatusMatrix]] {
            tally.functions.mapValues { Dictionary(uniqueKeysWithValues: $0.days.map { ($0.day, $0.counts) }) }
        }
        let (stored, whole) = (try nights.load(), try nights.analysis(files))
        #expect(counts(stored.tally) == counts(whole.tally))
        #expect(stored.input.verifications == whole.input.verifications)
        #expect(
            stored.input.ignored + stored.input.duplicates == whole.input.ignored + whole.input.duplicates)
    }

    /// Nobody knows which of two copies is right that name one execution.
    @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
    func copiesOfAnExecutionThatDisagree(order: [Int]) throws {
        let nights = try Nights()
        let texts = [
            entry(id: "a", execution: "run", app: "MISSING").text, entry(id: "a", execution: "run").text,
            entry(id: "b", execution: "run", time: "2026-10-14T12:00:05Z").text,
        ]
        for index in order { try nights.ingest(texts[index], as: "\(index).json") }
        let (stored, whole) = (try nights.load(), try nights.analysis(texts))
        #expect(stored.input.verifications == 2 && whole.input.verifications == 2)
        #expect(stored.tally.functions.values.first?.totals == whole.tally.functions.values.first?.totals)
    }

    @Test func copiesThatDisagreeBothCount() throws {
        let nights = try Nights()
        for (number, app) in ["VALID", "MISSING", "VALID"].enumerated() {
            try nights.ingest(entry(id: "a", app: app).text, as: "\(number).json")
        }
        #expect(try nights.load().input.verifications == 2)
        #expect(try nights.load().input.duplicates == 0)
        #expect(try nights.store(.reading).contents().inputs.count == 2)
    }

    /// Their stamp is not believed; they count without a day, and once.
    @Test func whatWasImportedAgain() throws {
        let nights = try Nights()
        let old = entry(id: "a").with("receiveTimestamp", EntryText.quoted("2026-10-20T00:00:00Z")).text
        #expect(try nights.ingest(old, as: "1.json").summary.undated == 1)
        let more = [old, entry(id: "b").text].joined(separator: "\n")
        #expect(try nights.ingest(more, as: "2.json").summary.verifications == 1)
        #expect(try nights.load().input.undated == 1)
    }
}
