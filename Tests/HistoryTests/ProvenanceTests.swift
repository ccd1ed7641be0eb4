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
