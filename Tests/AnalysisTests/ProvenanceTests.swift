import Entries
import LogStream
import Readiness
import SyntheticLogs
import TestSupport
import Testing
import Verifications

/// Entries that clients make functions log are distinguished from the SDK's, as far as possible.
@Suite struct ProvenanceTests {
    // MARK: Whole logs

    /// Each forgery alone, in a log of some days.
    @Test(arguments: Tier.some(of: Forgery.allCases, every: 3), Tier.some(of: [true, false], every: 2))
    func eachForgery(forgery: Forgery, hasExecutionIDs: Bool) throws {
        let scenario = ForgedRun.scenario(seed: 3)
        let log = try ForgedLog(scenario, forgeries: [forgery], share: 0.2, hasExecutionIDs: hasExecutionIDs)
        let run = try ForgedRun(log)
        let differences = try run.differences()
        #expect(differences == [], "\(differences)")
        #expect(try run.disagreements(seed: 3) == [])
        #expect(log.discarded.values.contains { $0 != ForgedLog.Discarded() } == (run.result.input.ignored > 0))
    }

    /// A forgery never adds to the count of executions where the framework names them.
    @Test(arguments: Forgery.allCases)
    func oneForEachExecution(forgery: Forgery) throws {
        let scenario = ForgedRun.scenario(seed: 4)
        let honest = try ForgedLog(scenario, forgeries: [], share: 0)
        let forged = try ForgedRun(ForgedLog(scenario, forgeries: [forgery], share: 0.3))
        #expect(forged.result.input.verifications == honest.truth.verifications)
        #expect(forged.result.input.ignored > 0)
        // All but one leave every cell as it was: the client that sets the clock back chooses its own statuses.
        let counts = try ForgedRun(honest).result.tally.functions.mapValues(\.totals)
        #expect((counts == forged.result.tally.functions.mapValues(\.totals)) == (forgery != .earlier))
    }

    /// Without the label `execution_id` one of them is never told from the SDK's entries.
    @Test(arguments: Forgery.allCases)
    func oldDeployments(forgery: Forgery) throws {
        let scenario = ForgedRun.scenario(seed: 5)
        let run = try ForgedRun(ForgedLog(scenario, forgeries: [forgery], share: 0.3, hasExecutionIDs: false))
        #expect((run.result.input.ignored == 0) == (forgery == .foreignSpan))
    }

    /// All together, many in one request.
    @Test(arguments: Tier.some(of: 0..<12 as Range<UInt64>, every: 4))
    func allTogether(seed: UInt64) throws {
        let scenario = ForgedRun.scenario(seed: seed, requests: 250)
        let log = try ForgedLog(
            scenario, forgeries: Forgery.allCases, share: [0.1, 0.5, 0.7][Int(seed % 3)],
            hasExecutionIDs: seed % 4 != 3)
        let run = try ForgedRun(log)
        #expect(try run.differences() == [])
        #expect(try run.disagreements(seed: seed) == [])
    }

    // MARK: One request

    private let real = EntryText.second(app: "MISSING", id: "real")
        .with("labels", labels(executionID: "e1")).with("timestamp", #""2026-10-14T12:00:00.1Z""#)
    private let forged = EntryText.second(app: "VALID", id: "forged")
        .with("labels", labels(executionID: "e1")).with("timestamp", #""2026-10-14T12:00:00.2Z""#)

    private static func labels(executionID: String?, instance: String = "i1") -> String {
        let execution = executionID.map { #","execution_id":"\#($0)""# } ?? ""
        return #"{"firebase-log-type":"callable-request-verification","instanceId":"\#(instance)"\#(execution)}"#
    }

    /// The one function of a log, read in both orders and as one file for each entry.
    private func function(of entries: [EntryText]) throws -> CellTable {
        let lines = entries.map(\.text)
        let result = try Files([lines.joined(separator: "\n")]).run()
        for other in [
            try Files([lines.reversed().joined(separator: "\n")]).run(), try Files(lines).run(jobs: 3),
            try Files(lines.reversed()).run(jobs: 2),
        ] {
            #expect(other.tally.functions.mapValues { $0.days() } == result.tally.functions.mapValues { $0.days() })
            #expect(other.input.ignored == result.input.ignored)
            #expect(other.input.verifications == result.input.verifications)
        }
        let counted = result.input.verifications + result.input.duplicates + result.input.ignored
        #expect(counted == entries.count)
        return try #require(result.tally.functions.values.first)
    }

    @Test func laterIsRepeated() throws {
        let function = try function(of: [real, forged])
        #expect(function.totals[.missing, .valid] == 1 && function.totals.total == 1)
        #expect(function.discarded == Discarded(repeated: 1))
    }

    /// A forged entry with an earlier time is not recognised: it counts, and the SDK's entry is discarded as repeated.
    ///
    /// The execution still counts once.
    @Test func anEarlierTimeGetsThrough() throws {
        let function = try function(of: [real, forged.with("timestamp", #""2026-10-14T09:00:00Z""#)])
        #expect(function.totals[.valid, .valid] == 1 && function.totals.total == 1)
        #expect(function.discarded == Discarded(repeated: 1))
    }

    @Test func aTimeOfTheDayBeforeYesterdayIsNoTime() throws {
        let old = forged.with("timestamp", #""2026-10-13T11:59:59Z""#)
        let both = try function(of: [real, old])
        #expect(both.totals[.missing, .valid] == 1 && both.undated.total == 0)
        #expect(both.discarded == Discarded(repeated: 1))
        let alone = try function(of: [old])
        #expect(alone.undated[.valid, .valid] == 1 && alone.cells.isEmpty)
    }

    @Test func aTimeAheadIsTheTimeOfReceipt() throws {
        let ahead = forged.with("timestamp", #""2026-10-14T18:00:00Z""#)
            .with("receiveTimestamp", #""2026-10-14T12:00:00.3Z""#)
        let function = try function(of: [real, ahead])
        #expect(function.totals[.missing, .valid] == 1 && function.totals.total == 1)
    }

    /// At the same instant nothing tells which of them is the SDK's: those with different statuses all count.
    @Test func theSameInstant() throws {
        for id in ["real", "another"] {
            let other = forged.with("timestamp", #""2026-10-14T12:00:00.1Z""#).with("insertId", "\"\(id)\"")
            #expect(try function(of: [real, other]).totals.total == 2)
            let same = real.with("timestamp", #""2026-10-14T12:00:00.1Z""#).with("insertId", "\"\(id)\"")
            #expect(try function(of: [real, same]).totals.total == 1)
        }
    }

    @Test(arguments: [#""real""#, #""""#])
    func aForeignInsertID(id: String) throws {
        let function = try function(of: [real, forged.with("insertId", id)])
        #expect(function.totals[.missing, .valid] == 1 && function.totals.total == 1)
        #expect(function.discarded == Discarded(repeated: 1))
    }

    @Test func anotherInstanceIsAnotherExecution() throws {
        let other = forged.with("labels", ProvenanceTests.labels(executionID: "e1", instance: "i2"))
        #expect(try function(of: [real, other]).totals.total == 2)
    }

    /// Where no label names the execution, trace and span do; one of them alone names nothing.
    @Test(
        arguments: [("t1", "1", 1), ("t1", "2", 2), ("t2", "1", 2), ("t1", nil, 2), (nil, "1", 2)]
            as [(String?, String?, Int)])
    func traceAndSpan(trace: String?, span: String?, counted: Int) throws {
        let plain = ProvenanceTests.labels(executionID: nil)
        let first = real.with("labels", plain).with("trace", #""t1""#).with("spanId", #""1""#)
        let second = forged.with("labels", plain).with("trace", trace.map { "\"\($0)\"" })
            .with("spanId", span.map { "\"\($0)\"" })
        #expect(try function(of: [first, second]).totals.total == counted)
    }

    /// Where one of two handlers names the execution, they are compared by the request; where both do, by that alone.
    @Test(arguments: [(nil, "1", 1), (nil, "2", 2), ("e2", "1", 2)] as [(String?, String, Int)])
    func oneHandlerNamesTheExecution(execution: String?, span: String, counted: Int) throws {
        let first = real.with("trace", #""t1""#).with("spanId", #""1""#)
        let second = forged.with("labels", ProvenanceTests.labels(executionID: execution))
            .with("trace", #""t1""#).with("spanId", "\"\(span)\"")
        #expect(try function(of: [first, second]).totals.total == counted)
        let tomorrow = second.with("timestamp", #""2026-10-15T01:00:00Z""#)
            .with("receiveTimestamp", #""2026-10-15T01:00:00Z""#)
        #expect(try function(of: [first, tomorrow]).totals.total == counted)
    }

    @Test(arguments: [
        #"{"message":"got","verifications":{"app":"VALID","auth":"VALID"}}"#,
        #"{"message":"","verifications":{"app":"VALID","auth":"VALID"}}"#,
        #"{"message":5,"verifications":{"app":"VALID","auth":"VALID"}}"#,
        #"{"message":"Callable request verification passed.","verifications":{"app":"VALID","auth":"VALID"}}"#,
        #"{"message":"Callable request verification passed","verifications":{"app":"INVALID","auth":"VALID"}}"#,
        #"{"message":"Callable request verification failed: no","verifications":{"app":"VALID","auth":"VALID"}}"#,
        #"{"verifications":{"app":"VALID","auth":"VALID"}}"#,
    ])
    func otherMessages(payload: String) throws {
        let function = try function(of: [real, forged.with("jsonPayload", payload)])
        #expect(function.totals[.missing, .valid] == 1 && function.totals.total == 1)
        #expect(function.discarded == Discarded(otherMessage: 1))
    }

    /// An export of a few columns has no message anywhere: it is taken at its word, once for each execution.
    @Test func noMessageAnywhere() throws {
        let payload = #"{"verifications":{"app":"VALID","auth":"VALID"}}"#
        let rows = ["e1", "e1", "e2", "e3"].enumerated().map { index, execution in
            forged.with("insertId", "\"\(index)\"").with("jsonPayload", payload)
                .with("labels", ProvenanceTests.labels(executionID: execution))
        }
        let function = try function(of: rows)
        #expect(function.totals[.valid, .valid] == 3 && function.totals.total == 3)
        #expect(function.discarded == Discarded(repeated: 1))
        #expect(function.provenance == .labelled)
    }

    /// A project has messages or has none, so that a client cannot make up a function whose SDK writes nothing.
    ///
    /// A labelled entry of any function shows that there are some, even if it is ignored; text shows nothing.
    @Test(arguments: [
        (nil, 1, 0), (EntryText.second("other", app: "MISSING"), 1, 1),
        (EntryText.second("other").with("jsonPayload", #"{"message":"got"}"#), 0, 2),
        (EntryText.second("other", project: "elsewhere"), 2, 0),
        (EntryText.second("other").with("labels", "{}"), 2, 0),
    ])
    func aMessageInAnotherFunction(other: EntryText?, counted: Int, ignored: Int) throws {
        let silent = EntryText.second("silent", id: "silent")
            .with("jsonPayload", #"{"verifications":{"app":"VALID","auth":"VALID"}}"#)
        let lines = [silent.text] + (other.map { [$0.text] } ?? [])
        let logs = try lines.map { try MemoryFile(Array($0.utf8)) }
        let inputs = logs.map { LogInput.file($0.path) }
        let stores = try inputs.map { try MadeStore([$0]).entries }
        for (inputs, stores) in [(inputs, []), (inputs.reversed(), []), ([], stores), ([inputs[0]], stores)] {
            var analysis = LogAnalysis(inputs: inputs, horizon: laterThanAll)
            analysis.jobs = 2
            let result = analysis.run(with: stores) { _, error, _ in Issue.record(error) }
            #expect(result.input.verifications == counted)
            #expect(result.counted == counted)
            #expect(result.input.ignored == ignored)
        }
        withExtendedLifetime(logs) {}
    }

    /// It comes before the SDK's entry, but cannot replace it.
    @Test func anEarlierLabelWithoutAMessage() throws {
        let silent = forged.with("timestamp", #""2026-10-14T09:00:00Z""#)
            .with("jsonPayload", #"{"verifications":{"app":"VALID","auth":"VALID"}}"#)
        let function = try function(of: [real, silent])
        #expect(function.totals[.missing, .valid] == 1 && function.totals.total == 1)
        #expect(function.discarded == Discarded(otherMessage: 1))
    }

    /// A list where the framework looks for labels keeps it from naming the execution; the label has another spelling.
    @Test(arguments: ["logging_googleapis_com_labels", "logging.googleapis.com/labels"])
    func aLabelInThePayload(key: String) throws {
        let payload = """
            {"message":"Callable request verification passed","verifications":{"app":"VALID","auth":"VALID"},\
            "\(key)":{"firebase-log-type":"callable-request-verification"}}
            """
        let misplaced = forged.with("labels", #"{"instanceId":"i1"}"#).with("jsonPayload", payload)
        let function = try function(of: [real, misplaced])
        #expect(function.totals[.missing, .valid] == 1 && function.totals.total == 1)
        #expect(function.discarded == Discarded(otherMessage: 1))
        // Where no entry has it in its place it is believed.
        #expect(try self.function(of: [misplaced]).totals.total == 1)
    }

    private static let words = #""Callable request verification passed: {'app': 'VALID', 'auth': 'VALID'}""#

    /// `logger.info(data.text)`, `console.log(data.text)`.
    @Test(arguments: ["jsonPayload", "textPayload"])
    func textInALabelledFunction(field: String) throws {
        let text = field == "textPayload" ? ProvenanceTests.words : #"{"message":\#(ProvenanceTests.words)}"#
        let plain = forged.with("labels", #"{"instanceId":"i1","execution_id":"e1"}"#)
            .with("jsonPayload", nil).with(field, text)
        let function = try function(of: [real, plain])
        #expect(function.totals[.missing, .valid] == 1 && function.totals.total == 1)
        #expect(function.discarded == Discarded(unlabelled: 1, unlabelledDistinct: 1))
    }

    /// Python's SDK writes text, so that there is nothing to tell a client's by: the advice `text-only` says so.
    @Test func textInAFunctionOfTextAlone() throws {
        let plain = EntryText.second(id: "a").with("labels", "{}").with("jsonPayload", nil)
            .with("textPayload", ProvenanceTests.words)
        let function = try function(of: [plain, plain.with("insertId", #""b""#)])
        #expect(function.totals[.valid, .valid] == 2)
        #expect(function.provenance == .unlabelled)
        #expect(function.discarded == Discarded())
    }
}
