import Readiness
import Verifications

/// Who is refused, or fails, now: what every output says first.
extension Summary {
    /// The functions that refuse people, most refused first.
    var lockedOut: [FunctionSummary] {
        let all = functions.filter(\.assessment.isLockout).map { ($0.assessment.lockout?.shown.refused ?? 0, $0) }
        return all.enumerated().sorted { ($1.element.0, $0.offset) < ($0.element.0, $1.offset) }.map(\.element.1)
    }

    /// The statement of who is refused now, and what to do about it: the first line of every report; nil if nobody is.
    var lockouts: Wording? { refusing.map { $0 + " " + EnforcementCode.rollback(lockedOut) } }

    /// The same without platforms, and with fewer words on how to undo it.
    var lockoutsInALine: [Wording]? {
        refusing(namesPlatform: false).map { [$0, EnforcementCode.rollback(lockedOut, inALine: true)] }
    }

    /// The statement of who is refused now; nil if nobody is.
    var refusing: Wording? { refusing(namesPlatform: true) }

    private func refusing(namesPlatform: Bool) -> Wording? {
        let (all, names) = (lockedOut, names)
        guard let first = all.first else { return nil }
        if all.count == 1 { return names[first] + " " + first.refusal(namesPlatform: namesPlatform) + "." }
        let list = all.map { function -> Wording in
            names[function] + (function.assessment.lockout.map { " (\($0.share))" } ?? "")
        }
        return "\(Figures.grouped(all.count)) \(noun.many) refuse \(all.refusedUsers): \(list: list)."
    }

    /// The statement of what is failing now: printed before every other answer, next to who is refused.
    var failing: Wording? {
        let items = functions.compactMap { function in
            // A lock-out that is nothing else is told as one.
            let isTold = function.assessment.lockout.map { !$0.isMany && $0.failing != nil } ?? false
            return isTold ? nil : function.assessment.failing.map { (function: function, failing: $0) }
        }
        let names = names(of: items.map(\.function))
        guard let first = items.first, items.count > 1 else {
            return items.first.map { "\(names[0]) is failing now: \($0.failing.failingShare)" }
        }
        return "\(list: names) are failing now. \(names[0]): \(first.failing.failingShare)"
    }
}

extension FunctionSummary {
    /// What enforcement does, to how many, and since when: `refuses signed-in users: 22 of 41 since 22 Jun 09:23 UTC`.
    func refusal(isNow: Bool = false, namesPlatform: Bool = true) -> Wording {
        guard let lockout = assessment.lockout else { return "" }
        let hasEnded = isNow && assessment.exportOld != nil
        let verb =
            lockout.isBeforeLog
            ? hasEnded ? "failed for everyone" : "fails for everyone"
            : "\(hasEnded ? "refused" : "refuses") \([self].refusedUsers)"
        let time = hasEnded ? " when the log ended" : isNow ? " now" : ""
        let platform = lockout.namedPlatforms.first.map { platform -> Wording in
            """
            \(lockout.lastDays == nil ? ", among them" : "; since the switch,") \(Figures.grouped(platform.blocked)) of \
            \(Figures.grouped(platform.admitted)) from \(platform.name.clients)
            """
        }
        let more = namesPlatform && lockout.isMany ? platform ?? "" : ""
        return "\(verb)\(time): \(lockout.share(of: assessment))" + more
    }
}

extension [FunctionSummary] {
    /// Whom they refuse: who is signed in is not known of a service.
    var refusedUsers: String {
        contains { $0.identity.isService || $0.assessment.lockout?.isSignedIn == false } ? "users" : "signed-in users"
    }
}
