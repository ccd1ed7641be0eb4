import Entries
import LogStream
import Readiness
import SyntheticLogs
import TestSupport
import Testing
import Verifications

/// Requests that share a trace, or whose traces look alike.
extension EvidenceTests {
    /// Without a span, the trace must belong to one request only.
    @Test func tracesWithoutSpans() throws {
        #expect(try day(requests(6) { $0.hasSpan = false }.flatMap(\.lines)).joined == 6)
        let shared = requests(6) { request in
            request.hasSpan = false
            request.trace = request.number / 2
        }
        // 1 and 6 are alone; of the others nobody knows which row belongs to which verification.
        let day = try day(shared.flatMap(\.lines))
        #expect(day.joined == 2 && day.withRow == 6 && day.unlogged == 0)
        // Another function's row is not this one's.
        var other = CalledRequest(1)
        other.function = "g"
        other.isLogged = false
        var mine = CalledRequest(1)
        mine.hasRow = false
        #expect(try self.day(other.lines + mine.lines).joined == 0)
    }

    /// As many rows as verifications of a trace belong together: a trace is the client's to choose.
    @Test(arguments: ["no spans", "spans of rows", "spans of verifications", "spans"])
    func requestsOfOneTrace(kind: String) throws {
        func day(_ change: (inout CalledRequest) -> Void) throws -> ShownCallers {
            let calls = requests(100) { request in
                request.trace = 7
                change(&request)
            }
            let lines = calls.flatMap(\.lines).map { line in
                let isRow = line.contains("httpRequest")
                let keepsSpan = kind == "spans" || kind == (isRow ? "spans of rows" : "spans of verifications")
                return keepsSpan ? line : line.replacing(#/,"spanId":"[0-9a-f]*"/#, with: "")
            }
            return try self.day(lines)
        }
        let whole = try day { _ in }
        #expect(whole.openRows == 0 && whole.withRow == 100 && whole.unlogged == 0)
        #expect(whole.joined == (kind == "spans" ? 100 : 0))
        let lost = try day { $0.isLogged = $0.number > 30 }
        #expect(lost.withRow == 70 && lost.unlogged == 30)
        let rowless = try day { $0.hasRow = $0.number > 30 }
        #expect(rowless.withRow == 70 && rowless.openRows == 0)
        // A request that was answered with an error may have failed before the SDK handled it.
        let failing = try day { request in
            request.isLogged = request.number > 30
            request.status = request.number > 30 ? 200 : 500
        }
        #expect(failing.withRow == 70 && failing.unlogged == 0 && failing.openRows == 30)
    }

    /// Two spans that differ are of two requests, even in one trace.
    @Test func spansThatDiffer() throws {
        let calls = requests(20) { request in
            request.trace = 7
            request.isLogged = request.number > 10
            request.hasRow = request.number <= 10
        }
        let day = try day(calls.flatMap(\.lines))
        #expect(day.openRows == 10 && day.withRow == 0 && day.unlogged == 10)
    }

    /// A client that sends one trace for weeks: its rows belong to verifications of the same days or neighbouring ones.
    @Test(arguments: [true, false])
    func oneTraceForWeeks(hasSpan: Bool) throws {
        let day = 86_400
        func found(_ seconds: [(row: Int, verification: Int)]) throws -> ShownCallers {
            let calls = seconds.enumerated().flatMap { number, seconds in
                [(seconds.row, true), (seconds.verification, false)].map { second, isRow in
                    var call = CalledRequest(number, second: second)
                    (call.trace, call.hasSpan, call.hasRow, call.isLogged) = (7, hasSpan, isRow, !isRow)
                    return call
                }
            }
            return try ShownCallers(run(calls.flatMap(\.lines)).tally.functions[EvidenceTests.function])
        }
        // Each alone on its days, and known by that.
        let apart = try found([(0, 0), (-3 * day, -3 * day), (-6 * day, -6 * day)])
        #expect(apart.joined == 3 && apart.unlogged == 0)
        // From one day to the next, and no further.
        let midnight = try found([(-43_201, -43_200)])
        #expect(midnight.joined == 1 && midnight.unlogged == 0)
        let far = try found([(-2 * day, 0)])
        #expect(far.withRow == 0 && far.unlogged == 1)
        let both = try found([(-2 * day, 0), (-2 * day, 0), (-6 * day, -5 * day), (-6 * day, -7 * day)])
        #expect(both.withRow == 2 && both.unlogged == 2)
    }

    /// Traces whose hashes collide change nothing but which rows have a client, and that the same in every run.
    @Test(arguments: [0, 1, 15] as [UInt64])
    func collidingTraces(mask: UInt64) throws {
        var random = SeededGenerator(seed: 700 + mask)
        let lines = randomCalls(seed: mask, count: 400).flatMap(\.lines)
        let whole = try run(lines) { $0.scan.traceMask = mask }
        for (files, jobs) in [(1, 1), (3, 2), (9, 4)] {
            var parts = Array(repeating: [String](), count: files)
            for line in lines.shuffled(using: &random) { parts[Int.random(in: 0..<files, using: &random)].append(line) }
            let split = try Files(parts.map { $0.joined(separator: "\n") }).run(jobs: jobs) {
                $0.scan.fingerprintKey = EvidenceTests.key
                $0.scan.traceMask = mask
            }
            #expect(split.tally == whole.tally, "\(files) files, \(jobs) jobs")
        }
        // Spans still tell requests apart, and services are never mixed.
        let spanned = randomCalls(seed: mask, count: 400).map { call in
            var call = call
            call.hasSpan = true
            return call
        }
        let found = try run(spanned.flatMap(\.lines)) { $0.scan.traceMask = mask }.tally
        for name in ["f", "g"] {
            let identity = FunctionIdentity(project: "demo", region: "europe-west1", name: name, generation: .second)
            let joined = spanned.count { $0.function == name && $0.hasRow && $0.isLogged }
            #expect(ShownCallers(found.functions[identity]).withRow == joined)
        }
    }
}
