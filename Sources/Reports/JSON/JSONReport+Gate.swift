import Readiness
import Verifications

extension JSONWriter {
    /// What came of a gate; null where none was asked.
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
