import Readiness
import Verifications

extension Finding {
    func platformStatement(_ assessment: Assessment) -> Statement? {
        let (list, hasRefused) = (Finding.list(platforms), assessment.enforcement.hasRefused)
        switch code {
        case .platformRefused:
            let isRollout = assessment.looksLikeRollout
            let cause: Wording = isRollout ? Finding.rollout : "\(usualCause)"
            return refusal(
                isRollout ? fix + Finding.raising : fix, or: ", or accept it",
                (hasRefused ? "No valid App Check token from " : "Enforcement would refuse ") + list + ". " + cause)
        case .releaseRefused:
            let cause = "Usual causes: the release lost its App Attest entitlement, or it is a test build."
            let newest: Wording = "the newest version: \(list)."
            return refusal(
                "Fix the release", or: "; a test build can be accepted",
                hasRefused
                    ? "No valid App Check token from \(newest) \(cause)"
                    : "Enforcement would refuse \(newest) Most users will update to it soon. \(cause)")
        case .platformAnonymous:
            return says(
                """
                Enforcement would refuse these clients that are not signed in: \(list). Anybody can send such \
                requests, so they do not decide. If they come from people who sign up, they count.
                """)
        case .platformFixed:
            return assessment.cured.map { cured in
                let since = cured.segments.cleanSince.map { " since \(CalendarText.minute($0)) UTC" } ?? ""
                let sentence: Wording = "\(cured.name.clients): no longer refused\(since)."
                return says(sentence.capitalized)
            }
        case .platformAside, .platformAsideSinceSwitch:
            let items: [Wording] = zip(platforms, days).prefix(3).map { platform, last in
                """
                \(platform.name.displayName) (\(Figures.grouped(platform.blocked)) of \(Figures.grouped(platform.admitted)), \
                last on \(CalendarText.short(last)))
                """
            }
            return says(
                "Every request was refused, but few or none came lately: \(list: items). Will they come back?",
                shared: ("Refused, and gone", items.first, " Will they come back?"))
        case .platformSilent, .partSilent:
            guard let name = names.first.flatMap({ PlatformName($0) }), let last = days.first else { return nil }
            let silent: Wording = "\(name.clients): no requests since \(CalendarText.day(last))."
            let isPart = code == .partSilent
            return says(
                silent.capitalized + (isPart ? "" : " Others still call. What these would send is unknown."),
                short: "\(name.clients) silent",
                steps: { _ in
                    isPart
                        ? []
                        : [
                            .item(
                                """
                                Does a new build wait for a token and never call? If these clients are gone for good, accept \
                                that: \(code: Platforms.acceptance(assessment.policy.numbers.acceptedPlatforms.map(\.text) + [name.text], entry: !assessment.policy.lines.isEmpty)).
                                """)
                        ]
                }, shared: ("Silent", "\(name.clients), since \(CalendarText.short(last))", ""))
        case .callersUnknown, .callersUnknownSinceSwitch:
            return says(
                unknownCallers + " " + requestLog,
                shared: ("The request log does not show all clients", known.map { "\($0.brief)" }, ""))
        case .platformsNotSeen, .platformsNotSeenSinceSwitch:
            return says(unseenPlatforms, shared: ("Platforms could not be checked", nil, ""))
        case .platformsRequired: return says(unseenPlatforms, short: "platforms unknown")
        case .callersRequired:
            return says(unknownCallers, short: "callers unknown", steps: { _ in [.item(requestLog)] })
        default: return nil
        }
    }

    private static let rollout: Wording =
        "The same version sends valid tokens as well: that is how App Attest looks while it is rolled out."
    private static let raising: Wording = """
        , unless App Attest is being rolled out: then raise its percentage first. \(code: "callcheck app-attest") shows \
        how far it is
        """

    private var unknownCallers: Wording { "The request log shows the client for \(knownShare)." }

    /// `1,020 of 1,050 requests, and for 18 of 20 that would be refused`.
    private var knownShare: Wording {
        guard let known else { return "" }
        func share(_ count: Int, _ all: Int) -> String { "\(Figures.grouped(count)) of \(Figures.grouped(all))" }
        guard known.known > 0 else { return "none of \(Figures.counted(known.requests, "request"))" }
        let tense = code == .callersUnknown ? "would be" : "were"
        let blocked = ", and for \(share(known.knownBlocked, known.blocked)) that \(tense) refused"
        return "\(share(known.known, known.requests)) requests\(known.blocked > 0 ? blocked : "")"
    }

    private var unseenPlatforms: Wording {
        """
        Whether a whole platform \(code == .platformsNotSeenSinceSwitch ? "is" : "would be") refused is unknown: the \
        request log is missing, or lacks many of the valid or of the refused requests.
        """
    }

    private var requestLog: Wording {
        generation == .first
            ? "Generation 1 has no request log that would show it."
            : "Export all rows of the request log: \(code: "callcheck export") shows how."
    }

    /// Acceptance is offered where it was tried, and makes the function ready.
    private func refusal(_ fix: Wording, or: String, _ sentence: Wording) -> Statement {
        let others = platforms.count > 1 ? " and \(Figures.grouped(platforms.count - 1)) more" : ""
        let first: Wording? = platforms.first.map {
            "\($0.name.displayName): \(Figures.grouped($0.blocked)) of \(Figures.grouped($0.admitted))\(others)"
        }
        return says(
            sentence, short: first ?? "",
            steps: { explanation in
                let assessment = explanation.function.assessment
                let isFirst = assessment.refusedPlatforms.first?.name == platforms.first?.name
                let accepting: Wording? = explanation.acceptance.map {
                    "\(or): " + $0.change.label(hasEntry: !assessment.policy.lines.isEmpty)
                }
                return [.item(fix + (isFirst ? accepting ?? "" : "") + ".")]
            })
    }

    /// `Firefox (all 23 requests, since 3 Oct 2026)`; several that began together: `A (all 23) and B (9 of 10), each
    /// since 3 Oct 2026`.
    private static func list(_ platforms: [PlatformCount]) -> Wording {
        let together =
            platforms.count > 1 && Set(platforms.map(\.since.day)).count == 1 ? platforms.first?.since.day : nil
        let parts: [Wording] = platforms.map { platform in
            let all = platform.blocked == platform.admitted ? "all" : "\(Figures.grouped(platform.blocked)) of"
            let since = together == nil ? " requests, since \(CalendarText.day(platform.since.day))" : ""
            return "\(platform.name.displayName) (\(all) \(Figures.grouped(platform.admitted))\(since))"
        }
        return "\(list: parts)\(together.map { ", each since \(CalendarText.day($0))" } ?? "")"
    }

    private var fix: Wording {
        switch platforms.first?.name {
        case .site, .small(.site): "Add the domain to the reCAPTCHA key and set up App Check on that website"
        case .browser(.electron, _): "Give the desktop app a custom App Check provider"
        case .browser, .small(.browser), .small(.mobileBrowser): "Test App Check in such a browser"
        case .kind(.web): "Set up App Check on the website and add its domain to the reCAPTCHA key"
        case .kind(let kind) where !kind.isOfPeople:
            "Give that program tokens that the Admin SDK makes (\(code: "createToken"))"
        case .noSite: "Find out which extensions or pages call without a site, and set up App Check there"
        case .kind(.android), .kind(.androidWebView), .build: "Check the app's provider and its registered certificate"
        default: "Check the app's provider and its registration for App Attest"
        }
    }

    private var usualCause: String {
        switch platforms.first?.name {
        case .browser(.electron, _):
            "reCAPTCHA rejects pages without a web address."
        case .browser, .kind(.web), .small(.browser), .small(.mobileBrowser):
            "Usually App Check is not set up on the website, or reCAPTCHA rejects its domain."
        case .site, .small(.site):
            """
            Usually its domain is not in the reCAPTCHA key's list, or it is a second web app that does not set up App \
            Check.
            """
        case .kind(let kind) where !kind.isOfPeople: "Usually one of your programs signs in and has no App Check."
        case .kind(.android), .kind(.androidWebView), .build:
            "Usually the app has no App Check provider, or its certificate is not registered."
        default: "Usually the app has no App Check provider, or its bundle is not registered for App Attest."
        }
    }
}

extension Platforms {
    /// The setting to copy; of a function that the policy has an entry for, what its entry must say, which beats them.
    static func acceptance(_ names: [String], entry: Bool) -> String {
        let words = names.map { ShellWord.plain($0, placeholder: "NAME") }
        return entry
            ? "accept-platforms: [\(words.joined(separator: ", "))]"
            : "--set accept-platforms=\(words.joined(separator: ","))"
    }
}

extension PlatformCount {
    /// `every browser: 14 of 14 requests`.
    var share: Wording {
        "\(name.displayName): \(Figures.grouped(blocked)) of \(Figures.counted(admitted, "request"))"
    }
}

extension KnownCallers {
    /// `none of 801`, `1,020 of 1,050`.
    fileprivate var brief: String {
        "\(known == 0 ? "none" : Figures.grouped(known)) of \(Figures.grouped(requests))"
    }
}

extension [Finding] {
    /// The newest versions of apps that are refused: nobody can update away from them.
    var refusedReleases: [Suspect.Unit] {
        filter { $0.code == .releaseRefused }.flatMap(\.platforms).map { .platform($0.name) }
    }
}

extension Assessment {
    /// The clients that are refused as a whole and hold the verdict up: neither time nor a fix that is out changes it.
    var platformsRefused: Wording? {
        // A service has hours of the day alone.
        if let hours = reasons[.hourRefused], hours.counts.count < 24 { return "the requests \(hours.hoursOfDay)" }
        let names = refusedPlatforms.prefix(3).map(\.name.displayName)
        return names.isEmpty ? nil : "\(list: names)"
    }

    /// The same, where they are most of what would be refused: a part of it explains nothing.
    var mostPlatformsRefused: Wording? {
        let blocked = refusedPlatforms.reduce(0) { $0 + $1.blocked }
        return reasons.has(.hourRefused) || 2 * blocked > period.blocked ? platformsRefused : nil
    }

    /// The same, where nothing else is against enforcement before it.
    var decidingPlatforms: Wording? {
        // Where everybody is refused, a platform says nothing.
        guard let decidingReason, !listed.has(.allRefused),
            [.platformRefused, .releaseRefused, .hourRefused].contains(decidingReason.code)
        else { return nil }
        return platformsRefused
    }
}

extension PlatformName {
    /// The name that people use.
    var displayName: Wording {
        switch self {
        case .kind(.web): "every browser"
        case .kind(let kind): "\(kind.displayName)"
        case .browser(let browser, let isMobile): "\(browser.displayName)\(isMobile ? " on phones and tablets" : "")"
        case .device(let device): "\(device.displayName)"
        case .unnamedApp: "iOS apps that do not name themselves"
        case .small(let dimension): "small \(dimension.rawValue) together"
        case .others: "all other apps and sites"
        case .site(let site): "\(name: site)"
        case .noSite: "browsers that name no site (extensions, privacy settings)"
        case .build(let version): "Android apps with okhttp \(name: version)"
        case .app(let app) where app.hasSuffix(".Clip"): "the App Clip \(name: app)"
        case .app(let app) where app.hasSuffix(".watchkitapp"): "the watch app \(name: app)"
        case .app(let app): "\(name: app)"
        case .release(let app, let version): "\(name: app) \(name: version)"
        }
    }

    /// The same in a few words, where their requests are meant.
    var clients: Wording {
        switch self {
        case .kind(.android): "Android apps"
        case .kind(.androidWebView): "Android web views"
        case .kind(let kind): "\(kind.displayName)"
        default: displayName
        }
    }
}

extension Browser {
    var displayName: String {
        switch self {
        case .electron: "desktop apps in Electron"
        case .facebook: "Facebook's browser"
        case .instagram: "Instagram's browser"
        case .googleApp: "the Google app"
        case .line: "LINE's browser"
        case .webview: "web views in iOS apps"
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

extension Device {
    var displayName: String {
        switch self {
        case .iphone: "iPhones"
        case .ipad: "iPads"
        case .appleTV: "Apple TVs"
        case .watch: "Apple Watches"
        case .mac: "Macs"
        case .vision: "Apple Vision"
        }
    }
}
