import Readiness
import TestSupport
import Testing
import Verifications

/// What holds for every log, on random ones.
@Suite struct AssessmentPropertyTests {
    private static let names = ["f", "g", "h"]

    /// A few weeks of three functions, with quiet days, bursts, refused tokens and anonymous callers.
    private func randomLog(seed: UInt64, days: ClosedRange<Int>? = nil) -> Scenario {
        var random = SeededGenerator(seed: seed)
        var log = Scenario(asOf: Bool.random(using: &random) ? "2026-10-14T23:59:59Z" : "2026-10-14T07:30:00Z")
        log.rules.numbers.assumeComplete = Bool.random(using: &random) ? .everything : .nothing
        let age = Int.random(in: 3...40, using: &random)
        for name in AssessmentPropertyTests.names {
            let generation: Generation = name == "h" ? .second : .first
            let volume = [3, 20, 120].randomElement(using: &random) ?? 3
            let rates: [Double] = [0, 0.004, 0.02, 0.3]
            let rate = rates.randomElement(using: &random) ?? 0
            for offset in -age...0 where Double.random(in: 0..<1, using: &random) < 0.9 {
                var requests: [Requests] = []
                for _ in 0..<Int.random(in: 0...2 * volume, using: &random) {
                    let isBlocked = Double.random(in: 0..<1, using: &random) < rate
                    let app: TokenStatus = isBlocked ? (Bool.random(using: &random) ? .invalid : .missing) : .valid
                    let auth = TokenStatus.allCases.randomElement(using: &random) ?? .valid
                    let hour = Int.random(in: 0..<24, using: &random)
                    requests.append(Requests(app: app, auth: auth, count: 1, hours: 1, hour: hour))
                }
                guard days?.contains(offset) ?? true, !requests.isEmpty else { continue }
                log.add(name, generation: generation, day: offset, requests)
            }
        }
        return log
    }

    private func identity(_ name: String) -> FunctionIdentity {
        FunctionIdentity(project: "demo", region: "us", name: name, generation: name == "h" ? .second : .first)
    }

    @Test(arguments: 0..<40)
    func everythingAgrees(seed: UInt64) {
        let log = randomLog(seed: seed)
        for name in AssessmentPropertyTests.names {
            let assessment = log.evaluator.assess(identity(name))
            let deciding = assessment.reasons.filter { $0.kind != .advice }.map(\.name)
            #expect(Set(assessment.codes).count == assessment.codes.count)
            #expect(!deciding.isEmpty)
            #expect((assessment.verdict == .enforce) == (deciding == ["safe"]))
            if assessment.verdict == .investigate { #expect(deciding.contains("mostly-invalid")) }
            if assessment.verdict == .wait { #expect(!deciding.contains("mostly-invalid")) }
            // The quick way, which the forecast and the nights take, and the full one are the same rule.
            #expect((assessment.safeNights > 0) == (assessment.verdict == .enforce))

            let period = assessment.period
            let rate = period.blockedRate ?? 0.5
            #expect(0 <= period.lower && period.lower <= rate)
            #expect(rate <= period.upper && period.upper <= 1)
            #expect(period.dispersion >= 1 && period.dispersion <= max(1, Double(period.blocked)))
            #expect(period.cleanStreak <= period.activeDays)
            #expect(period.signedInNoToken + period.anonymousNoToken + period.tokenRefused <= period.blocked)
        }
    }

    /// As of an earlier day, a log is what it was on that day.
    @Test(arguments: 0..<40)
    func daysAfterTheAsOfDayEnterNothing(seed: UInt64) {
        let past = Int(seed % 20) + 1
        var whole = randomLog(seed: seed)
        var cut = randomLog(seed: seed, days: -100 ... -past)
        whole.asOf = Instant(day: whole.day(-past), nanosecondOfDay: whole.asOf.nanosecondOfDay)
        cut.asOf = whole.asOf
        for name in AssessmentPropertyTests.names {
            guard cut.tally.functions[identity(name)] != nil else { continue }
            #expect(whole.evaluator.assess(identity(name)) == cut.evaluator.assess(identity(name)))
        }
    }
}
