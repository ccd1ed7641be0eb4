import Readiness
import Verifications

extension Platforms {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .refused(let platforms, _, _):
            let isGone = assessment.cure != nil
            let cause = isGone ? "" : " " + Platforms.usualCause(platforms)
            return Platforms.refusal(
                of: platforms, assessment, fix: Platforms.fix(of: platforms),
                "Enforcement would \(isGone ? "have refused" : "refuse") \(Platforms.list(platforms)).\(cause)",
                enforced: "No valid App Check token from \(Platforms.list(platforms)).\(cause)")
        case .releaseRefused(let releases, _):
            let cause = "Usual causes: the release lost its App Attest entitlement, or it is a test build."
            let newest: Wording = "the newest version: \(Platforms.list(releases))."
            return Platforms.refusal(
                of: releases, assessment, fix: "Fix the release; a test build can be accepted",
                "Enforcement would refuse \(newest) Most users will update to it soon. \(cause)",
                enforced: "No valid App Check token from \(newest) \(cause)")
        case .anonymous(let platforms, _, _):
            return Words(
                aside: """
                    Enforcement would refuse these clients that are not signed in: \(Platforms.list(platforms)). Anybody \
                    can send such requests, so they do not decide. If they come from people who sign up, they count.
                    """)
        case .cured(let cure): return Words(aside: cure.wording)
        case .outage(let outage): return Words(aside: outage.wording)
        case .callersUnknown(let known, let blocked, let isRequired, let canBeShown):
            let share = known == 0 ? "none" : "only \(Figures.grouped(known))"
            let unknown: Wording =
                blocked == 1
                ? "The request log does not include the one request that would be refused, so its client is unknown."
                : """
                Who sends the \(Figures.grouped(blocked)) requests that would be refused is unknown: the request log \
                includes \(share) of them.
                """
            let remedy: Wording =
                canBeShown
                ? "Export all rows of the request log: \(code: "callcheck export") shows how."
                : "Generation 1 has no request log that would show it."
            return isRequired
                ? Words(unknown, brief: "callers unknown", remedy: { _ in [.item(remedy)] })
                : Words(
                    aside: unknown + " " + remedy,
                    shared: {
                        Words.Shared("The export has too little of the request log to show who would be refused")
                    })
        }
    }

    private static func refusal(
        of platforms: [PlatformCount], _ assessment: Assessment, fix: String, _ sentence: Wording, enforced: Wording
    ) -> Words {
        let accepted = assessment.policy.numbers.acceptedPlatforms + platforms.map(\.name)
        let acceptance = acceptance(accepted.map(\.text), entry: !assessment.policy.lines.isEmpty)
        return Words(
            sentence, enforced: { _ in enforced }, brief: brief(platforms),
            remedy: { _ in [.item("\(fix): \(code: acceptance).")] })
    }

    /// `every request from Firefox (23 of 23 since 3 Oct)`, at most three of them.
    private static func list(_ platforms: [PlatformCount]) -> Wording {
        let parts: [Wording] = platforms.map { platform in
            """
            \(platform.name.claim) (\(Figures.grouped(platform.blocked)) of \(Figures.grouped(platform.admitted)) requests, \
            since \(CalendarText.day(platform.since)))
            """
        }
        return "\(list: parts)"
    }

    private static func fix(of platforms: [PlatformCount]) -> String {
        if case .site = platforms.first?.name {
            "Add the domain to the reCAPTCHA key and set up App Check on that website, or accept it"
        } else {
            "Find out why, or accept it"
        }
    }

    private static func usualCause(_ platforms: [PlatformCount]) -> String {
        switch platforms.first?.name {
        case .browser, .kind(.web): "Usually App Check is not set up on the website, or reCAPTCHA rejects its domain."
        case .site:
            """
            Usually its domain is not in the reCAPTCHA key's list, or it is a second web app that does not set up App \
            Check.
            """
        case .kind(let kind) where !kind.isOfPeople: "Usually one of your own programs signs in and has no App Check."
        case .kind(.android), .kind(.androidWebView):
            "Usually the app has no App Check provider, or its certificate is not registered."
        default: "Usually the app has no App Check provider, or its bundle is not registered for App Attest."
        }
    }

    private static func brief(_ platforms: [PlatformCount]) -> Wording {
        guard let first = platforms.first else { return "" }
        let others = platforms.count > 1 ? " and \(Figures.grouped(platforms.count - 1)) more" : ""
        return """
            \(first.name.claim): \(Figures.grouped(first.blocked)) of \(Figures.grouped(first.admitted))\(others)
            """
    }

    /// The setting to copy; of a function that the policy has an entry for, what its entry must say, which beats them.
    static func acceptance(_ names: [String], entry: Bool) -> String {
        let words = names.map { ShellWord.plain($0, placeholder: "NAME") }
        return entry
            ? "accept-platforms: [\(words.joined(separator: ", "))]"
            : "--set accept-platforms=\(words.joined(separator: ","))"
    }
}

extension Assessment {
    /// Who is refused as a whole, where that holds the verdict up: neither time nor a fix that is out changes it.
    var platformsRefused: Wording? {
        let names = cure == nil && outage == nil ? refusedPlatforms.prefix(3).map(\.name.claim) : []
        return names.isEmpty ? nil : "\(list: names)"
    }

    /// The same, where nothing else is against enforcement before it.
    var decidingPlatforms: Wording? {
        if case .platforms? = decidingReason { platformsRefused } else { nil }
    }
}

extension PlatformName {
    /// What people call it.
    var claim: Wording {
        switch self {
        case .kind(.web): "every browser"
        case .kind(let kind): "\(kind.claim)"
        case .browser(let browser): "\(browser.claim)"
        case .site(let site): "\(name: site)"
        case .app(let app): "\(name: app)"
        case .release(let app, let version): "\(name: app) \(name: version)"
        }
    }

    /// The same in a few words, where their requests are meant.
    var clients: Wording {
        switch self {
        case .kind(.android): "Android apps"
        case .kind(.androidWebView): "Android web views"
        case .kind(let kind): "\(kind.claim)"
        case .browser, .site, .app, .release: claim
        }
    }
}

extension Outage {
    /// `Android apps, since 28 Apr`.
    var brief: Wording { "\(name.clients), since \(CalendarText.short(since.day))" }

    fileprivate var wording: Wording {
        """
        Since \(CalendarText.minute(since)) UTC every request from \(name.clients) \
        fails\(isOfVersions ? ", whichever version" : ""). Look for an outage or a changed setting\
        \(isOfVersions ? ", not for a release" : "").
        """
    }
}

extension Cure {
    /// `Android apps, fixed 23 Sep`.
    var brief: Wording { "\(name.clients), fixed \(CalendarText.short(since.day))" }

    fileprivate var wording: Wording {
        let count = firstDay == since.day ? "" : " from \(CalendarText.day(firstDay)) on"
        return """
            \(name.clients): fixed since \(CalendarText.minute(since)) UTC (0 of \(Figures.grouped(requests))\(count)).
            """
    }

    /// What to do about a cause that is gone.
    var judging: Wording {
        "Judge it from \(CalendarText.day(firstDay)) on: \(code: "--since \(firstDay)"), or \(code: "since:") in the policy."
    }

    /// When that leads to `enforce`.
    var judgedOutlook: Wording {
        let lead: Wording = "Judged from \(CalendarText.day(firstDay)) on (\(code: "--since \(firstDay)"))"
        if verdict == .enforce { return "\(lead), it can be enforced now." }
        return readyDay.map {
            "\(lead), it can be enforced from \(CalendarText.day($0)) on, if nothing new is refused."
        }
            ?? "\(lead), no date is known yet either."
    }
}

extension Browser {
    var claim: String {
        switch self {
        case .chrome: "Chrome"
        case .edge: "Edge"
        case .safari: "Safari"
        case .firefox: "Firefox"
        case .samsung: "Samsung Internet"
        case .opera: "Opera"
        case .other: "other browsers"
        }
    }
}

extension FailingNow {
    var words: Words {
        Words(
            aside: """
                Something is failing now: \(share). In the same hours of the week before, others had valid tokens. Look \
                for an outage or a release in the last hour.
                """)
    }

    /// `15 of its newest 20 requests had no valid App Check token, since 14 Oct 2026 14:00 UTC`.
    var share: Wording {
        """
        \(Figures.grouped(blocked)) of the newest \(Figures.counted(requests, "request")) \
        \(isMostlyInvalid ? "carried a bad token (INVALID)" : "had no valid App Check token"), since \
        \(CalendarText.minute(since)) UTC
        """
    }
}
