import Readiness
import Testing
import Verifications

/// `mixed-provenance`, `unattributed` and `uncounted`: what could not be counted, or could be forged.
@Suite struct ProvenanceTests {
    private func log(perDay: Int = 300) -> Scenario {
        var log = Scenario()
        log.add(days: -13...0, .valid(perDay), .invalid(1, auth: .invalid))
        return log
    }

    /// More than a tenth as many as the labelled ones; copies do not count.
    @Test(arguments: [(140, false), (141, true)])
    func textNextToLabels(distinct: Int, isMixed: Bool) throws {
        var log = log(perDay: 99)
        log.discard(Discarded(unlabelled: 900, unlabelledDistinct: distinct))
        #expect(log.assess().codes.contains("mixed-provenance") == isMixed)
        guard isMixed else { return }
        #expect(log.assess().verdict == .insufficient)
        #expect(try log.assess().reason("mixed-provenance").value == 141.0 / 1400)
    }

    @Test(arguments: [(2, false), (3, true)])
    func twoSeveritiesOnThreeDays(days: Int, isMixed: Bool) {
        var log = log()
        log.add(severity: .info, days: 1 - days...0, .valid(1))
        #expect(log.assess().codes.contains("mixed-provenance") == isMixed)
        log.markUnlabelled("f")
        #expect(!log.assess().codes.contains("mixed-provenance"), "each function without labels has its own level")
    }

    /// A log without a project is a preview.
    @Test func anUnknownProjectIsNeverSafe() {
        var log = Scenario()
        log.add(generation: nil, project: "-", region: "-", days: -13...0, .valid(300), .invalid(1))
        let assessment = log.assess(generation: nil, project: "-", region: "-")
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.codes == ["unattributed"])
        #expect(assessment.signedIn.verdict == .insufficient)
    }

    /// Records that could not be read might have been blocked: 8 of 2108 do not matter, 20 do.
    @Test(arguments: [(8, false), (20, true)])
    func unreadableRecords(records: Int, isDoubtful: Bool) throws {
        var log = log()
        log.unread.add(records, newest: nil)
        let assessment = log.assess()
        #expect(assessment.uncounted == records)
        #expect(assessment.codes.contains("uncounted") == isDoubtful)
        #expect(assessment.verdict == (isDoubtful ? .insufficient : .enforce))
        guard isDoubtful else { return }
        #expect(try assessment.reason("uncounted").value == 20)
        log.rules.numbers.assumeComplete = .failures
        #expect(log.assess().codes == ["uncounted"])
        log.rules.numbers.assumeComplete = .everything
        #expect(log.assess().verdict == .enforce)
    }

    /// Where signed-in requests alone are admitted, the others would not be blocked.
    @Test(arguments: [(true, 20), (false, 0)])
    func discardedRequests(isSignedIn: Bool, counted: Int) {
        var log = log()
        var discarded = Discarded(otherMessage: 20)
        discarded.mayBeBlocked = [Discarded.Kind(isSignedIn: isSignedIn): 20]
        log.discard(discarded)
        #expect(log.assess().uncounted == 20)
        log.rules.numbers.requiresAuth = true
        #expect(log.assess().uncounted == counted)
    }

    /// From a store, only those of inputs count whose newest verification lies in the window.
    @Test func unreadableRecordsOfOldInputs() {
        var log = log()
        log.unread.add(50, newest: instant("2026-10-07T23:59:59Z"))
        #expect(log.assess().uncounted == 0)
        log.unread.add(50, newest: instant("2026-10-08T00:00:00Z"))
        #expect(log.assess().uncounted == 50)
        log.unread.add(1, newest: nil)
        #expect(log.assess().uncounted == 51)
        // What goes on after the as-of time has its records before it as well.
        log.unread = UnreadRecords(50, newest: instant("2026-11-20T00:00:00Z"))
        #expect(log.assess().uncounted == 50)
    }

    @Test func undatedRequestsMayHaveBeenBlocked() {
        var log = log()
        for _ in 0..<20 { log.add(at: nil, .missing(1)) }
        log.add(at: nil, .valid(1))
        log.add(at: nil, .invalid(1, auth: .invalid))
        #expect(log.assess().uncounted == 20)
        #expect(log.assess().codes == ["uncounted"])
    }
}
