import Readiness
import Verifications

extension FunctionSummary {
    /// How to roll a service back: some words, and a command where there is one; nil for a function.
    var serviceRollback: (lead: Wording, command: Wording)? {
        guard identity.isService else { return nil }
        guard assessment.mode?.isByGoogle != true, let command = ServiceCommand(identity: identity).rollback.last else {
            return ("\(name: name):", ServiceCommand.noWayBack)
        }
        return ("To undo for \(name: name):", "\(code: command)")
    }

    /// The name for commands and programs; for a service, its id.
    var key: String { identity.isService ? identity.name : name }
}

extension Summary {
    /// The noun for the rows.
    var noun: (one: String, many: String) {
        let services = functions.count { $0.identity.isService }
        if services == 0 { return ("function", "functions") }
        return services == functions.count ? ("service", "services") : ("function or service", "functions and services")
    }
}

extension Assessment {
    /// The words for how it is known that enforcement is on.
    var origin: String {
        switch enforcement.source {
        case .policy, nil: "by policy"
        case .mode: mode?.isSet != true ? "by Google, for everybody" : "as its mode says"
        case .log: !isOfService ? "as the log shows" : "as the metric shows"
        }
    }
}

extension Finding {
    /// The text for a service where a function's does not fit; nil where it does.
    func serviceStatement(_ assessment: Assessment) -> Statement? {
        guard assessment.isOfService else { return nil }
        let (span, origin) = (assessment.enforcement.span, assessment.origin)
        let fate = assessment.enforcement.hasRefused ? "had no valid App Check token" : "would be refused"
        switch code {
        case .enforced:
            return says(
                "Enforced \(span), \(origin). callcheck only checks how many requests are denied.", short: "\(span)")
        case .enforcedByLog:
            return says(
                """
                Enforced \(span), \(origin): requests without a valid App Check token are denied. Its mode would \
                confirm it: \(code: "callcheck export services") reads the modes as well.
                """, short: "\(span), by the metric")
        case .lockout: return lockoutStatement(assessment)
        case .policyContradicted where assessment.mode?.isSet == true:
            let isEnforced = assessment.mode?.isEnforced ?? false
            let since = assessment.mode?.updated.map { " since \(CalendarText.moment($0))" } ?? ""
            return says(
                """
                Its mode has been \(isEnforced ? "enforced" : "unenforced")\(since), but the metric shows that requests \
                \(isEnforced ? "without a valid token are let through" : "are denied"). Look at the console (Security > App \
                Check > APIs), then read both again.
                """, short: "mode and metric disagree")
        case .policyContradicted:
            return says(
                """
                Enforcement is \(assessment.enforcement.state.rawValue) \(origin), but the policy or the metric shows \
                something else. Look at the console (Security > App Check > APIs), then correct the policy or read again.
                """, short: "policy and metric disagree")
        case .anonymousOnly: return says(unknownOriginText(assessment))
        case .allRefused: return says("Not one request has a valid token.")
        case .failuresUnproven:
            return says(
                """
                All \(Figures.grouped(number)) requests are verified. If that is too good to be true, look for a filter \
                by security in what was read.
                """)
        case .hourRefused where counts.count == 24:
            return says(
                "Most requests \(fate) in every hour of the day: \(share()).",
                short: "refused in every hour")
        case .hourRefused:
            let cause: Wording =
                "Debug tokens in nightly tests, and quotas that end by night, hide real people in the other hours."
            return says(
                "In some hours of the day most requests \(fate): \(share()) \(hoursOfDay). \(cause)",
                short: "refused \(hoursOfDay)")
        case .appsUnknown, .appsRequired:
            let apps: Wording =
                switch names.count {
                case 0: "No app has a verified request"
                case 1: "All verified requests are from one app, \(name: names[0])"
                default: "All verified requests are from \(String(names.count)) apps, \(names: names)"
                }
            let refused = number == 1 ? "the one" : "the \(Figures.grouped(number))"
            return says(
                apps + "; the metric does not say which apps sent \(refused) that would be refused.",
                short: "apps of refused requests unknown")
        case .appFell:
            let isOne = names.count == 1
            return says(
                """
                Verified requests of \(list: names.map { "\(name: $0)" }) fell by \
                \(isOne ? "" : "up to ")\(Figures.rate(value ?? 0)) from \(instant.map(CalendarText.minute) ?? "") UTC on, \
                those of other apps did not: most likely \(isOne ? "it is" : "they are") refused.
                """)
        case .hoursNotSeen:
            return says(
                lead: "Counts by day", end: " Hours were not looked at: debug tokens that run by night do not show.")
        case .coverageGap:
            let count = Figures.counted(days.count, "day")
            return says(
                "Hours are missing between two answers of Cloud Monitoring, on \(count) from \(CalendarText.day(days[0])).",
                short: "hours missing on \(count)",
                steps: { _ in
                    [.item("Fetch the missing hours: \(code: "callcheck export services") prints the command.")]
                })
        case .debugTokens: return says(lead: "Debug tokens count as verified, and requests are not people")
        case .reusedTokens:
            return says(
                lead: "Reused tokens were let through, as replay protection is watched and not enforced",
                item: "\(Figures.grouped(number))")
        default: return silentStatement(assessment.mode)
        }
    }

    private func silentStatement(_ mode: StatedMode?) -> Statement? {
        let last = days.first.map { CalendarText.day($0) }
        switch code {
        case .noTraffic:
            let isOff = mode?.isCounted == false
            return says(
                """
                Nothing is known of it: the metric has no request in the \
                window\(last.map { "; the last one was on \($0)" } ?? ""). \
                \(isOff ? "App Check is OFF for it." : "App Check is OFF for it, or nobody calls it.")
                """, short: "nothing is known")
        case .stale:
            return says(
                """
                No requests for \(Figures.counted(number, "day")), since \(last ?? ""), while other services of the \
                project have some. App Check is OFF for it, or nobody calls it.
                """, short: "silent since \(last ?? "")")
        case .uncounted:
            return says(
                """
                The read is not whole, so any number of requests may be missing. Read it again to its last page: \
                \(code: "callcheck export services").
                """, short: "the read is not whole")
        case .tooFewDays:
            return says(
                "The metric covers only \(Figures.counted(number, "day")) of it; \(Figures.grouped(bar)) are needed.",
                short: "\(Figures.grouped(number)) of \(Figures.counted(bar, "day"))")
        default: return nil
        }
    }

    private func lockoutStatement(_ assessment: Assessment) -> Statement {
        var text: Wording = "Enforcement denies \(share()) \(assessment.enforcement.span)."
        if let value, let limit, value > limit { text = text + " \(tooMany)" }
        if let lockout = assessment.lockout, case let unknown = lockout.unknownOrigin, unknown > 0 {
            text =
                lockout.countsUnknownOrigin
                ? text + " Of these, \(Figures.grouped(unknown)) \(unknown == 1 ? "is" : "are") of unknown origin."
                : text
                    + " Besides, \(Figures.counted(unknown, "request")) of unknown origin \(unknown == 1 ? "was" : "were") denied."
        }
        if let hours = assessment.lockout?.hours {
            text = text + " Most are denied \(hours.hoursOfDay): \(hours.share())."
        }
        return says(text, short: assessment.lockout?.brief(of: assessment) ?? "")
    }

    /// `at 02:00, 03:00 UTC`.
    var hoursOfDay: String { CalendarText.hours(counts) + (counts.count < 24 ? " UTC" : "") }

    private func unknownOriginText(_ assessment: Assessment) -> Wording {
        let period = assessment.signedIn.period
        return """
            Without requests of unknown origin, which anybody with curl can send, it is ready: \
            \(Figures.grouped(period.blocked)) of \(Figures.grouped(period.admitted)) would be refused. If none of them are \
            your users', set \(code: "requires-auth: true") for it in the policy.
            """
    }
}

extension CountedToken {
    /// The console's name for it, and its usual meaning.
    var displayName: Wording {
        switch self {
        case .valid: "verified"
        case .consumed: "with a reused token"
        case .invalid: "with an invalid token: an app whose attestation fails, or a forger"
        case .outdatedClient: "of outdated clients: a Firebase SDK without a token"
        case .unknownOrigin: "of unknown origin: neither a token nor an SDK"
        case .other: "with another status"
        }
    }

    fileprivate var brief: String {
        switch self {
        case .invalid: "bad tokens"
        case .outdatedClient: "outdated clients"
        case .unknownOrigin: "unknown origin"
        case .valid, .consumed, .other: "other status"
        }
    }

    fileprivate var advice: Wording {
        switch self {
        case .invalid:
            """
            Invalid tokens: is each app registered as it is published? A missing signing fingerprint, a domain that is \
            not in the reCAPTCHA key, a quota or a wrong clock look like this. The metric does not say which app.
            """
        case .outdatedClient:
            "Outdated clients: versions from before App Check, or a website that calls before App Check is set up."
        case .unknownOrigin:
            """
            Unknown origin: scripts, servers without the Admin SDK, and pages that load files by their download URL, which \
            are refused as well.
            """
        case .valid, .consumed, .other: ""
        }
    }
}

extension FunctionSummary {
    /// The tokens of most of a service's requests that would be refused, in a few words.
    var serviceTokens: Wording? {
        guard identity.isService else { return nil }
        let counts = Explanation.refusable.map { ($0, table.count($0, in: assessment.period.window)) }
        return counts.max { $0.1 < $1.1 }.map { "\($0.0.brief)" }
    }
}

extension Explanation {
    /// The requests of the window by token, as the console has them.
    private func shares(_ kinds: [CountedToken]) -> [(security: CountedToken, count: Int)] {
        guard function.identity.isService else { return [] }
        let isJudged = function.assessment.admission == .notRefused
        return kinds.filter { isJudged || $0 != .unknownOrigin }
            .map { (security: $0, count: function.table.count($0, in: function.assessment.period.window)) }
            .filter { $0.count > 0 }.sorted { $1.count < $0.count }
    }

    fileprivate static let refusable: [CountedToken] = [.invalid, .outdatedClient, .unknownOrigin, .other]

    var serviceWho: [Wording] {
        shares(Explanation.refusable).map { "\(Figures.grouped($0.count)) " + $0.security.displayName }
    }

    var serviceCauses: [Document.Block] {
        shares(Explanation.refusable).filter { $0.security != .other }.map { .item($0.security.advice) }
    }

    var serviceTokens: [(figure: Wording, text: Wording)] {
        shares(CountedToken.allCases).map {
            (figure: "\(Figures.grouped($0.count))", text: $0.security.displayName)
        }
    }
}

/// How a service's enforcement is switched: in the console, or by the Firebase CLI.
struct ServiceCommand {
    let identity: FunctionIdentity

    private func switching(to mode: String) -> [String] {
        [
            "firebase experiments:enable appcheckadmin",
            "firebase appcheck:services:set \(ShellWord.plain(identity.name, placeholder: "SERVICE")) \(mode) --project "
                + CloudCommand(identity).project,
        ]
    }

    var enforcing: [String] { switching(to: "enforced") }
    var rollback: [String] { switching(to: "unenforced") }
    var reading: [String] {
        ["callcheck export services --project \(CloudCommand(identity).project) > services.sh", "sh services.sh"]
    }

    static let enforce = choosing("Enforce")
    static let rollBack = choosing("Unenforce")

    private static func choosing(_ mode: String) -> Wording {
        """
        In the console, under Security > App Check > APIs, choose \(mode); or with the Firebase CLI. It takes up to 15 \
        minutes.
        """
    }

    static let noWayBack: Wording = "Google enforces it for everybody: it cannot be switched off. Fix the apps."
}
