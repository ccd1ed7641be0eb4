import Readiness
import Testing
import Verifications

@testable import Reports

/// A function that the log proves to be enforced: every format has the entry that the policy lacks.
@Suite struct EnforcedByLogReportTests {
    /// Enforced from 9 October on; `refused` of 300 signed-in requests a day are refused then.
    private func summary(refused: Int) -> Summary {
        let function = Sample.function("createOrder") { index in
            [
                Requests(app: .valid, count: 300 - refused),
                Requests(app: .missing, count: index < 8 ? 1 : refused),
            ]
        }
        var callers = FunctionCallers()
        for day in function.tally.days {
            let isOn = Sample.day("2026-10-09") <= day.day
            callers.update(day.day) { found in
                found.rows = day.counts.total
                found.withRow = day.counts.total
                found.successes = 1
                for (app, answer) in [
                    (TokenStatus.valid, RequestRow.ResponseClass.success),
                    (.missing, isOn ? .unauthenticated : .success),
                ] {
                    let count = day.counts.total(app: app)
                    let isRefused = answer == .unauthenticated
                    if app == .valid { found.verifiedServed += count }
                    if isRefused { found.refusedByRow += count }
                    if app == .missing {
                        found.signs = DaySigns([
                            EnforcementSign(isRefused ? .refused : .served, nanosecond: 0, slot: 0, count: count)
                        ])
                    }
                    found.signedIn.add(count, app: app, client: .init(kind: .web), answer: answer, address: 0, hour: 0)
                }
            }
        }
        var evidence = CallEvidence()
        evidence.add(callers, for: function.identity)
        var tally = Tally()
        tally.add(function.tally, for: function.identity)
        let evaluator = Evaluator(
            tally: tally, rules: PolicyRules(), asOf: Sample.instant("2026-10-14T23:59:59Z"),
            names: [function.identity: "createOrder"], evidence: evidence)
        return Summary(evaluator: evaluator, input: InputSummary(), selection: Selection())
    }

    @Test(arguments: [Format.markdown, .html, .json, .junit, .github], [1, 30])
    func everyFormatHasTheEntry(format: Format, refused: Int) {
        let text = Report.check(GateCheck(Gate(failOn: .lockout)), on: summary(refused: refused)).text(format)
        #expect(text.contains("match: createOrder"))
        #expect(text.contains("enforced: 2026-10-09T00:00:00Z"))
    }

    @Test func theGateFailsOrCannotTell() {
        let (quiet, locked) = (summary(refused: 1), summary(refused: 30))
        for (failOn, summary, words) in [
            (Gate.FailOn.lockout, quiet, "passed: at most 0.66% of signed-in requests are refused"),
            (.lockout, locked, "refuses signed-in users"), (.unsure, quiet, "no answer yet"),
        ] {
            let text = Report.check(GateCheck(Gate(failOn: failOn)), on: summary).text(.markdown)
            #expect(text.lowercased().contains(words), "\(text.prefix(300))")
        }
    }
}
