import TestSupport
import Testing
import Verifications

@testable import Readiness

/// Enforcement is a property of a revision: what its requests show, and when it began.
@Suite struct EnforcementTests {

    /// Requests of some revisions, a minute apart, in the order of time, up to the end of the last day.
    private struct Requests {
        private var writer = CellWriter()
        private let day = ReadinessTests.day("2026-10-14")
        private var count = 0
        private var presence = RevisionPresence()

        /// Adds requests; each has the answer and the line.
        mutating func add(
            _ count: Int, _ revision: UInt64, app: TokenStatus = .valid, auth: TokenStatus = .valid,
            answer: RequestRow.ResponseClass? = nil, line: EnforcementSign.Line = .none
        ) {
            let revision = revision == 0 ? Revision.none : Revision(number: revision, letters: 97)
            for _ in 0..<count {
                let beginning = presence.add(revision)
                writer.add(
                    app: app, auth: auth,
                    at: Instant(day: day, nanosecondOfDay: Int64(self.count) * 60_000_000_000), answer: answer,
                    line: line,
                    stint: CellTable.Stint(
                        revision, beginning: beginning, piece: revision == .none ? self.count : 0))
                self.count += 1
            }
        }

        func enforcement(
            hasAllowing: Bool = false, policy: EnforcementTime? = nil, generation: Generation = .second,
            asOf: Instant? = nil
        ) -> Enforcement {
            var writer = writer
            var table = writer.finish()
            table.departures = presence.departures(on: day)
            let history = EnforcementHistory(
                table, in: Window(from: day, to: day), hasAllowing: hasAllowing, generation)
            var found = history.enforcement(policy: policy, asOf: asOf ?? Instant(endOf: day))
            (found.refused, found.served) = history.signs(of: found, from: day)
            return found
        }
    }

    private func state(_ build: (inout Requests) -> Void) -> Enforcement.State {
        var requests = Requests()
        build(&requests)
        return requests.enforcement().state
    }

    @Test func threeRefusedAndMoreThanHalf() {
        #expect(state { $0.add(3, 1, app: .missing, answer: .unauthenticated) } == .on)
        #expect(state { $0.add(2, 1, app: .missing, answer: .unauthenticated) } == .unknown)
        #expect(
            state {
                $0.add(3, 1, app: .missing, answer: .unauthenticated)
                $0.add(3, 1, app: .missing, answer: .success)
            } == .off)
        #expect(
            state {
                $0.add(4, 1, app: .missing, answer: .unauthenticated)
                $0.add(3, 1, app: .missing, answer: .redirect)
            } == .on)
    }

    /// A deployment that answers 401 to everybody enforces nothing.
    @Test func aBrokenDeployment() {
        #expect(
            state {
                $0.add(5, 1, app: .missing, answer: .unauthenticated)
                $0.add(2, 1, answer: .unauthenticated)
                $0.add(1, 1, answer: .success)
            } == .unknown)
        // Those without a row are requests, too.
        #expect(
            state {
                $0.add(5, 1, app: .missing, answer: .unauthenticated)
                $0.add(2, 1, answer: .unauthenticated)
                $0.add(2, 1)
            } == .on)
    }

    /// Most handlers answer 401 to the signed-out themselves, unless three with a valid token were served.
    @Test(arguments: [(2, Enforcement.State.unknown), (3, .on)])
    func signedOut(served: Int, state: Enforcement.State) {
        #expect(
            self.state {
                $0.add(5, 1, app: .missing, auth: .missing, answer: .unauthenticated)
                $0.add(served, 1, auth: .missing, answer: .success)
            } == state)
    }

    /// A streaming callable answers 200 to what it refuses, and so proves that its 200 says nothing.
    @Test func streams() {
        var requests = Requests()
        requests.add(5, 1, app: .missing, answer: .success)
        #expect(requests.enforcement().state == .off)
        requests.add(1, 1, auth: .invalid, answer: .success)
        #expect(requests.enforcement().state == .unknown)
        requests.add(3, 1, app: .invalid, answer: .success, line: .refused)
        #expect(requests.enforcement().state == .off || requests.enforcement().state == .unknown)
        #expect(requests.enforcement(hasAllowing: true).state == .on)
        #expect(requests.enforcement(hasAllowing: true).mayStream)
        requests.add(4, 1, app: .invalid, answer: .success, line: .allowing)
        #expect(requests.enforcement(hasAllowing: true).state == .off, "it wrote that it lets requests through")
    }

    /// The switch is the first request of the earliest revision in the run of those that are on.
    @Test func theSwitch() throws {
        var requests = Requests()
        requests.add(30, 1, app: .missing, answer: .success)
        requests.add(25, 2, app: .missing, answer: .unauthenticated)
        let first = requests.enforcement()
        #expect(first.state == .on && first.start == first.revisions.last?.first && first.source == .log)
        #expect(first.rollbackRevision?.revision.number == 1)
        requests.add(30, 3, app: .missing, answer: .success)
        let off = requests.enforcement()
        #expect(off.state == .off && off.past?.refused == 25 && off.start == nil)
        #expect(off.past?.to == off.revisions.last?.first)
        requests.add(25, 2, app: .missing, answer: .unauthenticated)
        let again = requests.enforcement()
        #expect(again.state == .on)
        #expect(try #require(off.past?.to) < #require(again.start))
    }

    /// The few that were refused count from the first one on, on every day until it is known.
    @Test func tooFewToTell() throws {
        var requests = Requests()
        requests.add(30, 1, app: .missing, answer: .success)
        requests.add(25, 2)
        #expect(requests.enforcement().firstSigns == nil)
        requests.add(2, 2, app: .missing, answer: .unauthenticated)
        let later = Instant(day: ReadinessTests.day("2026-10-18"), nanosecondOfDay: 0)
        for found in [requests.enforcement(), requests.enforcement(asOf: later)] {
            let signs = try #require(found.firstSigns)
            #expect(found.state == .unknown && signs.refused == 2 && found.hasRefused)
            #expect(signs.start == found.revisions.last?.first && signs.start < signs.first)
            #expect(signs.revision == found.revisions.last?.revision)
        }
        #expect(requests.enforcement().recent?.refused == 2 && requests.enforcement(asOf: later).recent == nil)
        requests.add(1, 2, app: .missing, answer: .unauthenticated)
        #expect(requests.enforcement().state == .on && requests.enforcement().firstSigns == nil)
    }

    /// Unknown ones do not break a run.
    @Test func anUnknownOneBetween() {
        var requests = Requests()
        requests.add(25, 1, app: .missing, answer: .unauthenticated)
        requests.add(25, 2)
        requests.add(25, 3, app: .missing, answer: .unauthenticated)
        let found = requests.enforcement()
        #expect(found.state == .on && found.start == found.revisions.first?.first)
    }

    @Test func aCanary() {
        var requests = Requests()
        requests.add(20, 1, app: .missing, answer: .success)
        for _ in 0..<20 {
            requests.add(1, 2, app: .missing, answer: .unauthenticated)
            requests.add(4, 1, app: .missing, answer: .success)
        }
        let found = requests.enforcement()
        #expect(found.state == .partly && found.start == found.revisions.last?.first)
        #expect(found.refused == 20)
    }

    // MARK: Without revisions

    @Test func theNewestRun() {
        var requests = Requests()
        requests.add(20, 0, app: .missing, answer: .success)
        requests.add(2, 0, app: .missing, answer: .unauthenticated)
        #expect(requests.enforcement().state == .unknown)
        requests.add(1, 0, app: .missing, answer: .unauthenticated)
        let found = requests.enforcement()
        #expect(found.state == .on && found.refused == 3)
        requests.add(1, 0, app: .missing, answer: .success)
        #expect(requests.enforcement().state == .off)
    }

    /// Whatever was refused before, the newest run and the newest sign decide.
    @Test(arguments: [0, 1, 32], [0, 1, 12])
    func whateverWasRefusedBefore(refused: Int, served: Int) {
        var requests = Requests()
        requests.add(refused, 0, app: .missing, answer: .unauthenticated)
        requests.add(served, 0, app: .missing, answer: .success)
        let policy = EnforcementTime.instant(Instant(day: ReadinessTests.day("2026-10-14"), nanosecondOfDay: 0))
        let before = requests.enforcement(policy: policy)
        #expect(before.state == (served > 0 ? .off : refused >= 3 ? .on : .unknown))
        #expect(before.isContradicted == (served > 0))
        guard served > 0 else { return }
        requests.add(2, 0, app: .missing, answer: .unauthenticated)
        #expect(requests.enforcement().state == .unknown)
        requests.add(1, 0, app: .missing, answer: .unauthenticated)
        let found = requests.enforcement()
        #expect(found.state == .on && found.refused == 3)
    }

    // MARK: The policy

    @Test func theLogKnowsAndThePolicyFillsIn() {
        var requests = Requests()
        requests.add(5, 1)
        let noon = Instant(day: ReadinessTests.day("2026-10-14"), nanosecondOfDay: 30_000_000_000)
        let filled = requests.enforcement(policy: .instant(noon))
        #expect(filled.isSettled && filled.isByPolicyAlone && filled.start == noon)
        let plan = requests.enforcement(policy: .date(ReadinessTests.day("2026-10-15")))
        #expect(!plan.isSettled && plan.planned != nil && plan.start == nil)
        requests.add(5, 1, app: .missing, answer: .success)
        let contradicted = requests.enforcement(policy: .instant(noon))
        #expect(contradicted.isContradicted && contradicted.start == nil)
        requests.add(25, 2, app: .missing, answer: .unauthenticated)
        let known = requests.enforcement(policy: .instant(noon))
        #expect(known.isSettled && known.source == .log && known.start == known.revisions.last?.first)
    }

    /// A revision that is there and known to be off contradicts the policy, whenever its requests showed that.
    @Test func aRevisionKnownToBeOff() {
        func time(_ request: Int64) -> EnforcementTime {
            .instant(Instant(day: ReadinessTests.day("2026-10-14"), nanosecondOfDay: 60_000_000_000 * request))
        }
        var requests = Requests()
        requests.add(3, 1, app: .missing, answer: .success)
        requests.add(3, 1)
        let unchanged = requests.enforcement(policy: time(4))
        #expect(unchanged.state == .off && unchanged.isContradicted && unchanged.start == nil && !unchanged.isSettled)
        requests.add(9, 2)
        let beside = requests.enforcement(policy: time(6))
        #expect(beside.state == .unknown && beside.isContradicted && beside.start == nil)
        requests.add(1, 2)
        let gone = requests.enforcement(policy: time(6))
        #expect(gone.isSettled && gone.source == .policy)
        requests.add(1, 1)
        #expect(requests.enforcement(policy: time(6)).isContradicted, "it has returned")
        requests.add(3, 2, app: .missing, answer: .unauthenticated)
        let partly = requests.enforcement(policy: time(6))
        #expect(partly.state == .partly && partly.source == .log && !partly.isContradicted)
    }

    /// Where signed-in requests alone are admitted, others do not hide when enforcement was switched on.
    @Test func theDayOfTheSwitch() {
        let day = ReadinessTests.day("2026-10-14")
        var requests = Requests()
        requests.add(5, 1)
        requests.add(5, 1, app: .missing, auth: .missing)
        func unclear() -> [Admission: Day] { requests.enforcement(policy: .date(day.advanced(by: -1))).unclearDays }
        #expect(unclear() == [:])
        func onTheDay() -> [Admission: Day] {
            requests.enforcement(policy: .date(day), asOf: Instant(day: day.advanced(by: 1), nanosecondOfDay: 0))
                .unclearDays
        }
        #expect(onTheDay() == [.notRefused: day])
        requests.add(1, 1, app: .missing)
        #expect(onTheDay() == [.notRefused: day, .signedIn: day])
    }
}
