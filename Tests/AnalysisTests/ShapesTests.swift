import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// One log in two shapes counts once; what may be there twice is said; what was discarded weighs.
@Suite struct ShapesTests {
    /// Requests of one hour, a second apart, with microseconds; every fifth would be refused.
    private let requests = (0..<40).map { number in
        EntryText.second(
            app: number % 5 == 0 ? "MISSING" : "VALID", id: "id-\(number)",
            time: "2026-10-14T12:00:\(number + 10).\(number + 100)45\(number % 10)Z"
        )
        .with(
            "labels",
            #"{"firebase-log-type":"callable-request-verification","execution_id":"call\#(number)","instanceId":"a1"}"#
        )
        .with("trace", #""trace-\#(number)""#).with("spanId", #""\#(number + 1)""#)
    }

    enum Loss: CaseIterable {
        case insertID, seconds, executions, milliseconds, calls
    }

    private func cut(_ entry: EntryText, _ losses: Set<Loss>) -> EntryText {
        var entry = entry
        if losses.contains(.insertID) { entry = entry.with("insertId", nil).with("logName", nil) }
        if losses.contains(.executions) {
            entry = entry.with("trace", nil).with("spanId", nil)
        }
        if !losses.isDisjoint(with: [.executions, .calls]) {
            entry = entry.with("labels", #"{"firebase-log-type":"callable-request-verification"}"#)
        }
        if losses.contains(.seconds) { entry = entry.cuttingTime(to: 0) }
        if losses.contains(.milliseconds) { entry = entry.cuttingTime(to: 3) }
        return entry
    }

    private func run(_ files: [[EntryText]], configure: (inout LogAnalysis) -> Void = { _ in }) throws
        -> LogAnalysis.Result
    {
        let files = try Files(files.map { $0.map(\.text).joined(separator: "\n") })
        let result = files.run(configure: configure)
        // A store gives the same.
        var analysis = LogAnalysis(inputs: [], horizon: laterThanAll)
        configure(&analysis)
        let stored = try analysis.run(with: [MadeStore(files.inputs).entries]) { _, _, _ in }
        #expect(stored.tally == result.tally && stored.input.duplicates == result.input.duplicates)
        #expect(stored.tally.functions.values.map(\.discarded) == result.tally.functions.values.map(\.discarded))
        return result
    }

    @Test(
        arguments: [
            [.insertID], [.seconds], [.milliseconds], [.executions], [.insertID, .seconds], [.insertID, .executions],
            [.executions, .seconds], [.insertID, .executions, .milliseconds], [.calls], [.calls, .seconds],
        ] as [Set<Loss>])
    func oneLogInTwoShapes(losses: Set<Loss>) throws {
        let result = try run([requests, requests.map { cut($0, losses) }])
        #expect(result.input.verifications == 40 && result.input.duplicates + result.input.ignored == 40)
        #expect(result.tally.functions.values.first?.discarded.twoShapes == [])
        // What is in the second alone counts.
        let part = try run([Array(requests.prefix(30)), requests.map { cut($0, losses) }])
        #expect(part.input.verifications == 40)
    }

    @Test func twoProjectionsAreNotToldApart() throws {
        let first = requests.map { cut($0, [.insertID, .executions]) }
        let second = requests.map { cut($0, [.insertID, .executions]).with("severity", nil) }
        func shapes(_ files: [EntryText]...) throws -> Int? {
            try run(files).tally.functions.values.first?.discarded.twoShapes.count
        }
        #expect(try shapes(first, second) == 1)
        #expect(try shapes(first) == 0)
        // The same bytes, later ones, and copies of the whole log are told apart.
        #expect(try shapes(first, Array(first.suffix(20))) == 0)
        #expect(try shapes(Array(first.prefix(20)), Array(second.suffix(20))) == 0)
        #expect(try shapes(requests, first, second) == 1)
    }

    /// A projection without the message, or without message and label, beside the whole log.
    @Test(arguments: [true, false])
    func projectionsBesideTheWholeLog(hasLabel: Bool) throws {
        let bad = (0..<7).map { number in
            let entry = EntryText.second(app: "MISSING", id: "bad-\(number)", time: "2026-10-14T13:00:0\(number)Z")
                .with("insertId", nil).with("logName", nil)
                .with("jsonPayload", #"{"verifications":{"app":"MISSING","auth":"VALID"}}"#)
            return hasLabel ? entry : entry.with("labels", nil)
        }
        let day = try #require(Day(iso8601: "2026-10-14"))
        let beside = try run([requests, bad]).tally.functions.values.first?.discarded
        #expect(beside?.mayBeBlocked == [Discarded.Kind(day: day, isSignedIn: true): 7])
        // What clients make a function write stands among the SDK's own entries.
        let among = try run([requests + bad]).tally.functions.values.first?.discarded
        #expect(among?.mayBeBlocked == [:])
    }

    /// A log that names neither project nor region belongs to the only function of its name.
    @Test func entriesWithoutAPlace() throws {
        let bare = requests.map {
            $0.with("resource", #"{"type":"cloud_run_revision","labels":{"service_name":"add-message"}}"#)
                .with("logName", nil)
        }
        let result = try run([requests, bare])
        #expect(result.input.verifications == 40 && result.tally.functions.count == 1)
        #expect(try run([bare]).tally.functions.keys.first?.project == FunctionIdentity.unknown)
        let other = EntryText.second(id: "other", project: "demo-2")
        #expect(try run([requests, bare, [other]]).tally.functions.count == 3)
    }

    /// Nothing after T is seen.
    @Test func laterThanTheAnswer() throws {
        let asOf = try #require(Instant(timestamp: "2026-10-14T12:00:29.999999Z"))
        let later = try run([requests]) { $0.asOf = asOf }
        #expect(later.input.verifications == 20 && later.input.later == 20)
        #expect(later.tally.newest.map { $0 <= asOf } == true)
    }
}

extension EntryText {
    /// The same with fewer digits in its time.
    fileprivate func cuttingTime(to digits: Int) -> EntryText {
        let time = members.first { $0.key == "timestamp" }?.value.dropFirst().dropLast(2) ?? ""
        return with("timestamp", EntryText.quoted(time.prefix(digits == 0 ? 19 : 20 + digits) + "Z"))
            .with("receiveTimestamp", nil)
    }
}
