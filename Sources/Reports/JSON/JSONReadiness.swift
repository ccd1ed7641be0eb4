import Readiness
import Verifications

extension JSONWriter {
    /// The verdict of a function, with all the numbers it is based on.
    mutating func addReadiness(of function: FunctionSummary) {
        let assessment = function.assessment
        let evidence = assessment.evidence
        object(.lines, key: "readiness") { json in
            json.member("verdict", assessment.verdict.rawValue)
            json.add(evidence.window)
            json.addRate(evidence)
            json.member("blockedPerDay", evidence.blockedPerDay)
            json.member("blockedPerDayUpper", evidence.blockedPerDayUpper)
            json.member("dispersion", evidence.dispersion)
            json.member("activeDays", evidence.activeDays)
            json.member("ageDays", assessment.ageDays)
            json.member("signedInNoToken", evidence.signedInNoToken)
            json.member("anonymousNoToken", evidence.anonymousNoToken)
            json.member("tokenRefused", evidence.tokenRefused)
            json.member("lastBlocked", evidence.lastBlocked?.description)
            json.member("cleanStreak", evidence.cleanStreak)
            json.member("observedDays", evidence.observedDays)
            json.member("uncounted", evidence.uncounted)
            json.member("safeNights", assessment.safeNights)
            json.member("safeSince", assessment.safeSince?.description)
            json.object(.inline, key: "signedIn") { json in
                json.member("verdict", assessment.signedIn.verdict.rawValue)
                json.addRate(assessment.signedIn.evidence)
            }
            json.array(.lines, key: "reasons") { json in
                for (reason, wording) in zip(assessment.reasons, assessment.reasonWordings) {
                    var wording = wording
                    if case .settled(.enforced) = reason, let caution = function.policyCaution {
                        wording = wording + " " + caution
                    }
                    json.add(reason, wording)
                }
            }
            json.add(assessment.outlook)
        }
    }

    /// How many functions have which verdict.
    mutating func addVerdicts(of functions: [FunctionSummary]) {
        var counts: [Verdict: Int] = [:]
        for function in functions {
            counts[function.assessment.verdict, default: 0] += 1
        }
        object(.inline, key: "verdicts") { json in
            for verdict in Verdict.allCases { json.member(verdict.rawValue, counts[verdict] ?? 0) }
        }
    }

    private mutating func add(_ window: Window?) {
        guard let window else { return null("window") }
        object(.inline, key: "window") { json in
            json.member("from", window.from.description)
            json.member("to", window.to.description)
        }
    }

    private mutating func addRate(_ evidence: Evidence) {
        member("admitted", evidence.admitted)
        member("blocked", evidence.blocked)
        member("blockedRate", evidence.blockedRate)
        member("blockedRateUpper", evidence.blockedRateUpper)
        member("blockedRateLower", evidence.blockedRateLower)
    }

    private mutating func add(_ reason: Reason, _ wording: Wording) {
        object(.inline) { json in
            json.member("code", reason.code)
            json.member("value", reason.value)
            json.member("limit", reason.limit)
            json.member("detail", wording.text(ascii: false))
        }
    }

    private mutating func add(_ outlook: Outlook) {
        guard case .date(let day, let kind) = outlook else { return null("forecast") }
        object(.inline, key: "forecast") { json in
            json.member("date", day.description)
            json.member("kind", kind.rawValue)
        }
    }
}

extension JSONWriter {
    /// The outcome of a gate; null without one.
    mutating func add(_ check: GateCheck?, of summary: Summary) {
        guard let check else { return null("gate") }
        let isComplete = !check.isIncomplete(summary)
        object(.lines, key: "gate") { json in
            json.member("passed", isComplete && check.gate.answer(to: summary) == .passed)
            json.member("failOn", check.gate.failOn.rawValue)
            json.member("selected", summary.functions.count(where: \.isFunction))
            for (key, standing) in [("against", Standing.notSafe), ("undecided", .unsure), ("lockedOut", .lockedOut)] {
                json.array(.inline, key: key) { json in
                    for function in summary.functions where check.gate.standing(of: function.assessment) == standing {
                        json.element("\(function.identity.project)/\(function.identity.region)/\(function.name)")
                    }
                }
            }
            json.member("inputComplete", isComplete)
        }
    }

    /// Quiet functions together.
    mutating func add(_ groups: [FunctionGroup]) {
        array(.lines, key: "groups") { json in
            for group in groups {
                json.object(.inline) { json in
                    json.member("name", "quiet")
                    json.member("project", group.project)
                    json.array(.inline, key: "functions") { json in
                        for member in group.members { json.element("\(member.identity.region)/\(member.name)") }
                    }
                    json.member("admitted", group.evidence.admitted)
                    json.member("blocked", group.evidence.blocked)
                    json.member("blockedRateUpper", group.evidence.blockedRateUpper)
                    json.member("verdict", group.verdict.rawValue)
                }
            }
        }
    }
}
