import Readiness
import Verifications

extension Finding {
    func noticeText(_ assessment: Assessment) -> FindingText? {
        switch code {
        case .enforcedPartly:
            let parts = assessment.enforcement.revisions.filter { $0.state != .unknown }.map { revision -> Wording in
                let share = "\(Figures.grouped(revision.refused)) of \(Figures.counted(revision.requests, "request"))"
                return revision.state == .on
                    ? "\(name: revision.name) refused \(share)" : "\(name: revision.name) refuses none"
            }
            return FindingText(
                lead: "Only some revisions enforce App Check", item: parts.isEmpty ? nil : "\(list: parts)")
        case .refusedRecently: return FindingText(aside: refusedRecently(assessment))
        case .wasEnforced: return assessment.enforcement.past.map { FindingText(aside: $0.wording) }
        case .planned:
            return FindingText(
                lead: "Enforcement is planned by policy, and not on yet", item: assessment.enforcement.planned?.plan)
        case .policyContradicted:
            return FindingText(
                """
                Enforced by policy, but the log shows that enforcement is off, so requests without a valid token are \
                let through. Deploy with \(code: "enforceAppCheck: true"), or take \(code: "enforced:") out of the \
                policy.
                """, brief: "enforced by policy, off in the log")
        case .authContradicted:
            return FindingText(
                """
                \(code: "requires-auth") is set, but the log shows that signed-out requests are served. Those without a \
                valid token would be refused: leave \(code: "requires-auth") out.
                """, brief: "requires-auth is set, but signed-out requests are served")
        case .missingEntry:
            // On one line, without the dash of a list.
            let lines = (assessment.missingEntry?.lines ?? []).map { $0.dropFirst(2) }.joined(separator: ", ")
            return FindingText(
                lead: "The log shows enforcement, so add to the policy", item: "\(code: "- {\(lines)}")")
        case .leftOut:
            return FindingText(
                lead: "Requests left out because of their user agents (can be faked)",
                item: "\(Figures.grouped(number)); \(set: \.ignoreClients, assessment.policy.numbers.ignoredClients)")
        case .programsLeftOut:
            let kinds = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
            return FindingText(
                lead: "Requests from programs do not count",
                item: "\(Figures.grouped(number))\(kinds); \(set: \.countMachines, true)")
        case .signedOutRefused:
            return FindingText(
                lead: "Signed-out requests that the function itself refuses do not count",
                item: "\(Figures.grouped(number))")
        case .tokenlessRefused:
            return FindingText(
                lead: "Requests without a valid token that the function itself refuses do not count",
                item: "\(Figures.grouped(number))")
        case .accepted:
            return FindingText(
                lead: "Accepted, though enforcement would refuse it",
                item: "\(list: assessment.acceptedRefusals.prefix(2).map(\.share))")
        case .passedOver:
            let quiet = days.filter(assessment.policy.numbers.quietDays.contains)
            let others = days.filter { !quiet.contains($0) }
            let sentences: [Wording?] = [
                quiet.isEmpty
                    ? nil : "No requests on \(Finding.list(quiet)), which is no gap by \(code: "quiet-days").",
                others.isEmpty
                    ? nil
                    : """
                    No requests on \(Finding.list(others)), which is no gap, as no other day is missing within two \
                    weeks.
                    """,
            ]
            let all = sentences.compactMap(\.self)
            return FindingText(aside: all.dropFirst().reduce(all.first ?? "") { $0 + " " + $1 })
        default: return nil
        }
    }
}

extension PlatformCount {
    /// `every browser: 14 of 14 requests`.
    var share: Wording {
        "\(name.claim): \(Figures.grouped(blocked)) of \(Figures.counted(admitted, "request"))"
    }
}
