import Readiness
import Verifications

extension EnforcementNotice {
    var words: Words {
        switch self {
        case .staged(let revisions):
            let parts = revisions.filter { $0.state != .unknown }.map { revision -> Wording in
                let share = "\(Figures.grouped(revision.refused)) of \(Figures.counted(revision.requests, "request"))"
                return revision.state == .on
                    ? "\(name: revision.name) refused \(share)" : "\(name: revision.name) refuses none"
            }
            return Words(
                lead: "Staged, only some revisions enforce App Check", item: parts.isEmpty ? nil : "\(list: parts)")
        case .refusedRecently(let recent): return Words(aside: recent.wording)
        case .contradicted(let doubt): return Words(aside: doubt.wording)
        case .missingEntry(let entry):
            // On one line, without the dash of a list.
            let lines = entry.lines.map { $0.dropFirst(2) }.joined(separator: ", ")
            return Words(
                lead: "Enforced, as the log shows; add to the policy", item: "\(code: "- {\(lines)}")")
        }
    }
}

extension Enforcement.Doubt {
    fileprivate var wording: Wording {
        switch self {
        case .off:
            """
            Enforced by policy, but the log shows that enforcement is off, so requests without a valid token are let \
            through. Deploy with \(code: "enforceAppCheck: true"), or correct the policy.
            """
        case .served(let count, let since):
            """
            Enforced by policy, but \(Figures.counted(count, "request")) without a valid token \
            \(count == 1 ? "was" : "were") answered 200 since \(CalendarText.moment(since)). A streaming function always \
            answers 200; any other has been rolled back: take \(code: "enforced:") out of the policy.
            """
        case .switched(let start):
            """
            The policy has another time for the switch than the log: write \(code: "enforced: \(start)") into it.
            """
        }
    }
}

extension Reservation {
    var words: Words {
        switch self {
        case .leftOut(let requests, let kinds):
            Words(
                lead: "Requests left out because of their user agents, which anyone can set",
                item: "\(Figures.grouped(requests)); \(set: .ignoreClients, .texts(kinds.map(\.name)))")
        case .accepted(let platforms):
            Words(
                lead: "Accepted, though enforcement would refuse it",
                item: "\(list: platforms.prefix(2).map(\.share))")
        case .passedOver(let days):
            Words(
                aside: """
                    The log has no requests on \(Reason.list(days)), which \(days.count == 1 ? "does" : "do") not count as a gap: no \
                    other day is missing in the two weeks before or after.
                    """)
        }
    }
}

extension PlatformCount {
    /// `every browser: 14 of 14 requests`.
    fileprivate var share: Wording {
        "\(name.claim): \(Figures.grouped(blocked)) of \(Figures.counted(admitted, "request"))"
    }
}
