import Readiness

/// Who is refused, or fails, now: what every output says first.
extension Summary {
    /// The functions that refuse signed-in people, most refused first.
    var lockedOut: [FunctionSummary] {
        let all = functions.filter(\.assessment.isLockout)
        return all.enumerated().sorted { left, right in
            let (first, second) = (
                left.element.assessment.lockout?.refused ?? 0, right.element.assessment.lockout?.refused ?? 0
            )
            return (second, left.offset) < (first, right.offset)
        }.map(\.element)
    }

    /// The statement of who is refused now, and what to do about it: the first line of every report; nil if nobody is.
    var lockouts: Wording? { refusing.map { $0 + " " + EnforcementCode.rollback(lockedOut) } }

    /// The same without platforms, and with fewer words on how to undo it.
    var lockoutsInALine: Wording? {
        let refusing = lockedOut
        let shares = refusing.compactMap { function in
            function.assessment.lockout.map { lockout -> Wording in
                refusing.count == 1
                    ? "\(lockout.share(of: function.assessment))"
                    : "\(names[function]) (\(Figures.grouped(lockout.refused)) of \(Figures.grouped(lockout.requests)))"
            }
        }
        guard let first = refusing.first else { return nil }
        let fact: Wording =
            refusing.count == 1
            ? "\(names[first]) refuses" : "\(Figures.grouped(refusing.count)) \(noun.many) refuse"
        return fact + " \(refusing.refusedUsers): \(list: shares). " + EnforcementCode.rollback(refusing, inALine: true)
    }

    /// The statement of who is refused now; nil if nobody is.
    var refusing: Wording? {
        let refusing = lockedOut
        guard let first = refusing.first else { return nil }
        let names = names
        func share(_ function: FunctionSummary) -> Wording {
            guard let lockout = function.assessment.lockout else { return "" }
            let whole = lockout.namedPlatforms.first.map { platform -> Wording in
                """
                \(lockout.lastDays == nil ? ", among them" : "; since the switch,") \
                \(Figures.grouped(platform.blocked)) of \(Figures.grouped(platform.admitted)) from \
                \(platform.name.clients)
                """
            }
            return "\(lockout.share(of: function.assessment))\(whole ?? "")"
        }
        let users = refusing.refusedUsers
        if refusing.count == 1 { return "\(names[first]) refuses \(users): \(share(first))." }
        let list = refusing.map { names[$0] + " (\(share($0)))" }
        return "\(Figures.grouped(refusing.count)) \(noun.many) refuse \(users): \(list: list)."
    }

    /// The statement of what is failing now: printed before every other answer, next to who is refused.
    var failing: Wording? {
        let items = functions.compactMap { function in
            function.assessment.failing.map { (function: function, failing: $0) }
        }
        let names = names(of: items.map(\.function))
        guard let first = items.first, items.count > 1 else {
            return items.first.map { "\(names[0]) is failing now: \($0.failing.failingShare)" }
        }
        return "\(list: names) are failing now; of \(names[0]), \(first.failing.failingShare)"
    }
}

extension [FunctionSummary] {
    /// Whom they refuse: who is signed in is not known of a service.
    var refusedUsers: String { contains { $0.service != nil } ? "users" : "signed-in users" }
}
