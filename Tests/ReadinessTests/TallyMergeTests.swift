import Readiness
import TestSupport
import Testing
import Verifications

/// `merge` must not care how an input was cut into parts, nor in which order the parts come.
@Suite struct TallyMergeTests {
    @Test(arguments: 0..<50)
    func partsInAnyOrderGiveTheWhole(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let requests = (0..<400).map { _ in random.request() }
        let whole = tally(requests)
        #expect(whole == tally(requests.shuffled(using: &random)))

        var parts = Array(repeating: [RandomRequest](), count: 5)
        for request in requests { parts[Int.random(in: 0..<5, using: &random)].append(request) }
        let tallies = parts.map(tally).shuffled(using: &random)

        let fromLeft = tallies.reduce(into: Tally()) { $0.merge($1) }
        let fromRight = tallies.reversed().reduce(Tally()) { merged, part in
            var part = part
            part.merge(merged)
            return part
        }
        #expect(fromLeft == whole)
        #expect(fromRight == whole)
    }

    @Test func emptyIsTheIdentity() {
        var random = SeededGenerator(seed: 7)
        let whole = tally((0..<100).map { _ in random.request() })
        var left = Tally()
        left.merge(whole)
        var right = whole
        right.merge(Tally())
        #expect(left == whole)
        #expect(right == whole)
        #expect(whole != Tally())
    }

    @Test func daysBeyondTheLimitStayInTotals() {
        let days = (0..<CellTable.dayLimit + 10).map { Day(number: Int32($0)) }
        func tally(_ days: [Day]) -> CellTable {
            CellTable(days.map { verification(at: Instant(day: $0, nanosecondOfDay: 5)) })
        }
        let ascending = tally(days)
        #expect(ascending.days().count == CellTable.dayLimit)
        #expect(ascending.days().first?.day == Day(number: 10))
        #expect(ascending.first?.day == Day(number: 0))
        #expect(ascending.pooledDays.total == 10)
        #expect(ascending.undated.total == 0)
        #expect(ascending.totals.total == days.count)
        #expect(tally(days.reversed()) == ascending)
        var merged = tally(Array(days.prefix(2000)))
        merged.merge(tally(Array(days.dropFirst(2000))))
        #expect(merged == ascending)
    }

    /// The latest days stay, whichever came first.
    @Test(arguments: 0..<5)
    func projectsForgetDaysBeyondTheLimit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = ProjectTally.dayLimit
        let days = (0..<3 * limit).map { Day(number: Int32($0)) }
        func project(_ days: some Sequence<Day>) -> ProjectTally {
            let counted = days.reduce(into: ProjectTally()) { $0.addErrorStream(day: $1) }
            var project = ProjectTally()
            project.merge(counted)
            return project
        }
        let ascending = project(days)
        #expect(ascending.errorStreamDays == Set(days.suffix(limit)))
        #expect(ascending.undatedErrorStream)
        #expect(project(days.reversed()) == ascending)
        #expect(project(days.shuffled(using: &random)) == ascending)

        var parts = Array(repeating: [Day](), count: 5)
        for day in days { parts[Int.random(in: 0..<5, using: &random)].append(day) }
        let merged = parts.shuffled(using: &random).reduce(into: ProjectTally()) { $0.merge(project($1)) }
        #expect(merged == ascending)
        let few = project(days.prefix(limit))
        #expect(few.errorStreamDays.count == limit && !few.undatedErrorStream)
    }

    private func tally(_ requests: [RandomRequest]) -> Tally {
        requests.reduce(into: Tally()) { tally, request in
            let verification = request.verification
            var writer = CellWriter()
            request.write(into: &writer)
            var function = writer.finish()
            if verification.app == .other { function.markUnlabelled() }
            function.discard(Discarded(otherMessage: verification.failed ? 1 : 0))
            var project = ProjectTally()
            if verification.failed { project.addErrorStream(day: verification.instant?.day) }
            tally.add(function, for: verification.identity)
            tally.add(project, for: ExactName(verification.identity.project))
            if let instant = verification.instant { tally.updateNewest(instant) }
        }
    }

    private func verification(at instant: Instant) -> Verification {
        Verification(
            function: 0, app: .valid, auth: .valid, severity: .debug, instant: instant)
    }
}

/// A request of any kind, or a row that no verification belongs to.
struct RandomRequest {
    let verification: Verification
    var client: Client?
    var address: UInt16 = 0
    var answer: RequestRow.ResponseClass?
    var line = EnforcementSign.Line.none
    var cause: RefusalCause?
    let stint: CellTable.Stint

    func write(into writer: inout CellWriter) {
        if let answer, let day = verification.instant?.day, verification.auth == .other {
            return writer.add(openRows: 1, answer: answer, on: day)
        }
        writer.add(
            app: verification.app, auth: verification.auth, severity: verification.severity, at: verification.instant,
            of: client, address: address, answer: answer, line: line, cause: cause, stint: stint)
    }
}

extension Verification {
    fileprivate var identity: FunctionIdentity {
        FunctionIdentity(
            project: "p\(function % 2)", region: "r", name: "f\(function)",
            generation: Generation(rawValue: UInt8(function % 3)))
    }
}

extension SeededGenerator {
    /// A verification of any kind.
    mutating func verification() -> Verification {
        let instant = Instant(
            seconds: Int64.random(in: 1_790_000_000..<1_791_000_000, using: &self),
            nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &self))
        return Verification(
            function: Int32.random(in: 0..<4, using: &self),
            app: TokenStatus.allCases.randomElement(using: &self) ?? .valid,
            auth: TokenStatus.allCases.randomElement(using: &self) ?? .valid,
            severity: PassSeverity(rawValue: 1 << UInt8.random(in: 0..<3, using: &self)),
            instant: Bool.random(using: &self) ? instant : nil)
    }

    /// Some have a row, some a line of the SDK.
    fileprivate mutating func request() -> RandomRequest {
        let revision = Int.random(in: 0..<3, using: &self)
        var request = RandomRequest(
            verification: verification(),
            stint: CellTable.Stint(Revision(number: UInt64(revision + 1), letters: 97), beginning: revision + 1))
        if Bool.random(using: &self) {
            let version = ClientVersion(app: "com.example", version: "\(Int.random(in: 1...3, using: &self))", os: "17")
            request.client = [
                Client(kind: .ios), Client(kind: .web), Client(ClientCode(.ios), version: version),
            ].randomElement(using: &self)
            request.address = UInt16.random(in: 0..<20, using: &self)
            request.answer = RequestRow.ResponseClass.allCases.randomElement(using: &self)
        }
        if request.verification.app == .invalid, Bool.random(using: &self) {
            request.cause = RefusalCause.allCases.randomElement(using: &self)
            request.line = .refused
        }
        return request
    }
}
