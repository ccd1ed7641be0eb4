import Readiness
import Verifications

extension Explanation {
    /// The section on the time since the switch, next to the prediction: who is refused, and how to roll back.
    var aftermathSection: Document.Section? {
        guard let aftermath = function.assessment.aftermath else { return nil }
        var blocks: [Document.Block] = [.paragraph(aftermath.wording(of: function.assessment))]
        let lines = aftermath.refusedLines
        if !lines.isEmpty { blocks.append(.figures(lines)) }
        blocks += aftermath.working
        if aftermath.answer == .more, !function.assessment.isLockout {
            blocks += function.rollback
        }
        return Document.Section(title: "Since enforcement", blocks: blocks)
    }

    /// How revisions that shared the requests compare, to judge a staged switch.
    var revisionSection: Document.Section? {
        let revisions = function.revisions
        guard revisions.count > 1 else { return nil }
        var table = Table(
            numbers: ["requests", "no valid token", "refused"], words: ["enforcement"],
            rows: revisions.map { revision in
                [
                    .number(revision.requests), .share(revision.blocked, of: revision.requests),
                    .number(revision.refused), .words("\(revision.state.rawValue)"),
                ]
            })
        table.columns.insert(Table.Column(head: "revision"), at: 0)
        table.groups[0].rows = AnyRandomAccessCollection(
            zip(revisions, Array(table.groups[0].rows)).map { [.words("\(name: $0.name)")] + $1 })
        let isStaged = Set(revisions.map(\.state)).isSuperset(of: [.on, .off])
        let meaning: Wording =
            isStaged
            ? "Revisions that enforce refuse requests without a valid token. Compare their share with the others'."
            : "The revisions that had requests."
        return Document.Section(
            title: "Revisions", blocks: [.table(table), .paragraph(meaning, .faint)])
    }
}

extension Aftermath {
    /// The clients that were refused, most refused first; all lines together are all that were refused.
    var refusedLines: [(figure: Wording, text: Wording)] {
        let clients = callers.clients.filter { $0.value.blocked > 0 }
            .sorted { ($1.value.blocked, $0.key) < ($0.value.blocked, $1.key) }
        guard !clients.isEmpty else { return [] }
        let (shown, rest) = (clients.prefix(Aftermath.listed), clients.dropFirst(Aftermath.listed))
        let known = callers.clients.values.reduce(into: ClientSum()) { $0.merge($1) }
        let others = rest.reduce(into: ClientSum()) { $0.merge($1.value) }
        let lines =
            shown.map { ($0.value.blocked, $0.value.admitted, $0.key.claim) }
            + [
                (others.blocked, others.admitted, "other clients"),
                (all.refused - known.blocked, all.requests - known.admitted, "unknown: not in the request log"),
            ].filter { $0.0 > 0 }
        return lines.map { blocked, admitted, claim in
            (figure: "\(Figures.grouped(blocked)) of \(Figures.grouped(admitted))", text: claim)
        }
    }

    private static let listed = 10
}

extension Client {
    /// `iOS apps, com.example.app 3.1.0 on iOS 17`, `browsers, Firefox, parents.academy.example`.
    var claim: Wording {
        guard let version, !kind.hasSite else {
            return "\(kind.claim)\(code.browser.map { ", \($0.claim)" } ?? "")" + (site.map { ", \(name: $0)" } ?? "")
        }
        let system = version.os.isEmpty ? "" : " (\(kind == .macos ? "macOS" : "iOS") \(version.os))"
        return "\(kind.claim), \(name: version.app) \(name: version.version)\(system)"
    }
}

extension FunctionSummary {
    /// False if neither the log nor the policy shows anything about enforcement.
    var knowsEnforcement: Bool { assessment.isAboutProject || !assessment.enforcement.isUnknown }
}

extension Enforcement {
    /// `since 22 Jun 09:23 UTC`, `since the end of 22 Jun 2026`: when it was switched on, as far as that is known.
    var span: String {
        guard let start else { return "since an unknown time" }
        if isByPolicyAlone, case .date(let day) = policy { return "since the end of \(CalendarText.day(day))" }
        return "since \(CalendarText.moment(start))"
    }

    /// The sentence that some of the requests without a valid token were refused, after a number of all.
    var refusal: Wording {
        start == nil ? "" : " Enforcement has refused such requests \(span)."
    }

    /// The predicate for requests without a valid token in the days that are judged: fewer of them may be refused.
    var fate: String { hasRefused ? "have no valid token" : "would be refused" }
}

extension Lockout {
    /// True where it holds for requests alone that fail before the SDK logs them: none was seen to be refused.
    var isBeforeLog: Bool { shown.refused == 0 && failingBeforeLog != nil }

    /// The platform of which alone is told.
    private var onlyPlatform: PlatformCount? { isMany || failing != nil ? nil : namedPlatforms.first }

    /// `22 of 41`: requests that enforcement refuses, of those that were checked.
    var share: String {
        isBeforeLog ? "every request" : "\(Figures.grouped(shown.refused)) of \(Figures.grouped(shown.requests))"
    }

    /// `22 of 41 since 22 Jun 09:23 UTC`, `22 of 41 from Android apps since the switch`.
    func share(of assessment: Assessment) -> Wording {
        if isBeforeLog, let day = failingBeforeLog {
            let number =
                assessment.reasons[.failingBeforeLog].map { Figures.counted($0.number, "request") } ?? "requests"
            return "\(number) answered 5xx on \(CalendarText.short(day))"
        }
        if let onlyPlatform { return "\(share) from \(onlyPlatform.name.clients) since the switch" }
        if !isMany, let failing, let since = failing.instant {
            return "\(share)\(failing.failingClients) since \(CalendarText.moment(since))"
        }
        let span = lastDays.map { "in the last \(Figures.counted($0, "day"))" } ?? assessment.enforcement.span
        let besides: Wording =
            unknownOrigin > 0 && !countsUnknownOrigin
            ? ", besides \(Figures.grouped(unknownOrigin)) of unknown origin" : ""
        return "\(share) \(span)" + besides
    }

    /// `22 of 41 since 22 Jun 09:23 UTC, all signed in`.
    func brief(of assessment: Assessment) -> Wording {
        let areAllSignedIn = isSignedIn && !assessment.isOfService
        return "\(share(of: assessment))\(areAllSignedIn ? ", all signed in" : "")"
    }
}

extension Finding {
    /// Claims neither that enforcement is off nor that nobody is refused.
    func refusedRecently(_ assessment: Assessment) -> Wording {
        let revision = assessment.enforcement.firstSigns?.revision
        let name = assessment.enforcement.revisions.first { $0.revision == revision }?.name
        let lastDay = Int(value ?? 0)
        let number = lastDay == 0 ? "none" : Figures.grouped(lastDay)
        let recent = lastDay == count ? "" : ", \(number) in the last 24 hours"
        let sentence: Wording = """
            \(Figures.grouped(count)) \(count == 1 ? "request has" : "requests have") been refused since \
            \(instant.map(CalendarText.moment) ?? "")\(name.map { " by \(name: $0)" } ?? "")\(recent): too few to know \
            whether enforcement is on.
            """
        // On one line, without the dash of a list.
        guard let entry = assessment.presumedEntry else { return sentence }
        let lines = entry.lines.map { $0.dropFirst(2) }.joined(separator: ", ")
        return sentence + " If you switched it on, add to the policy: \(code: "- {\(lines)}")"
    }
}

extension Enforcement.Past {
    /// From when to when it was on, and how many were refused.
    var wording: Wording {
        """
        Enforcement was on from \(CalendarText.moment(from)) to \(CalendarText.moment(to)), and refused \
        \(Figures.grouped(refused)) of \(Figures.counted(requests, "request")).
        """
    }
}

extension EnforcementTime {
    /// `from 20 Oct 2026 on`.
    var plan: Wording {
        switch self {
        case .date(let day): "from \(CalendarText.day(day)) on"
        case .instant(let instant): "from \(CalendarText.moment(instant)) on"
        }
    }
}

extension Aftermath {
    /// Since when, how many are refused, how many were predicted, and whether that fits.
    func wording(of assessment: Assessment) -> Wording {
        let span = lastDays.map { ", in the last \(Figures.counted($0, "day"))" } ?? ""
        let daily = elapsedDays >= 1 && all.refused > 0 ? ", \(Figures.amount(refusedPerDay)) a day" : ""
        var hour = ""
        if let found = lastHour, found.requests > 0 {
            let refused = found.refused == 0 ? "none" : Figures.grouped(found.refused)
            hour = " Last hour: \(refused) of \(Figures.grouped(found.requests)) refused."
        }
        let people =
            switch (all.refused, signedIn.refused) {
            case (0, _): ""
            case _ where assessment.isOfService: ""
            case (_, 0): ", none of them signed in"
            case (2..., all.refused): ", all signed in"
            default: ", \(Figures.grouped(signedIn.refused)) of them signed in"
            }
        let counts =
            all.requests == 0
            ? "no request was logged"
            : "\(Figures.grouped(all.refused)) of \(Figures.counted(all.requests, "request")) refused"
        let start = "S" + assessment.enforcement.span.dropFirst()
        return """
            \(start) (\(assessment.origin))\(span): \(counts)\(people)\(daily).\(hour) 
            """ + (!assessment.isOfService ? prediction(isLockout: assessment.isLockout) : "")
    }

    /// The same in one sentence, for a function that is named.
    var news: Wording {
        let fit: Wording =
            switch answer {
            case .asPredicted: ", as predicted"
            case .more: ", more than predicted"
            case .fewer: ", fewer than predicted"
            case nil: ""
            }
        if all.requests == 0 { return "no request has been logged since \(CalendarText.moment(since))." }
        guard elapsedDays >= 1 else {
            return """
                enforcement has refused \(Figures.grouped(all.refused)) of \(Figures.counted(all.requests, "request")) \
                since \(CalendarText.moment(since))\(fit).
                """
        }
        let expected = predictedPerDay.map { " (\(Figures.amount($0)) a day predicted)" } ?? ""
        return "enforcement refuses \(Figures.amount(refusedPerDay)) requests a day\(fit)\(expected)."
    }

    /// A lock-out leaves no room for how well it was predicted.
    private func prediction(isLockout: Bool) -> Wording {
        guard let predictedPerDay, let predictedPerDayUpper else {
            return "Nothing was predicted: the log has no earlier requests."
        }
        let predicted: Wording = """
            Predicted the day before: \(Figures.amount(predictedPerDay)) a day (at most \
            \(Figures.amount(predictedPerDayUpper, .up))).
            """
        return switch answer {
        case .asPredicted: predicted + " As predicted."
        case .more: predicted + " More than predicted, beyond chance."
        case .fewer: predicted + " Fewer than predicted, beyond chance."
        case nil: isLockout ? predicted : predicted + " Too few requests to compare."
        }
    }
}

extension FunctionSummary {
    /// The command that deploys it without enforcement.
    var deployment: String { EnforcementCode.deployments(of: [self]).joined() }

    /// The newest revision without enforcement that got requests in the last two weeks: never one that enforces, or of
    /// which nothing is known.
    private var wayBack: RevisionSummary? { assessment.enforcement.wayBack }

    /// How to roll back in few words, the fastest way first.
    var briefRollback: [Document.Block] {
        if identity.isService { return rollback }
        let old = wayBack.map { CloudCommand(identity).sendingRequests(to: $0.name) }
        let fastest = old.map { command -> [Document.Block] in
            [.paragraph("  Fastest, but undone by your next deploy:"), .code(command, language: "sh")]
        }
        return (fastest ?? [])
            + [.paragraph("  Without \(code: "enforceAppCheck"):"), .code([deployment], language: "sh")]
    }

    /// How to roll back, and how long that takes: first to a revision without enforcement, if the log shows one.
    var rollback: [Document.Block] {
        if identity.isService {
            if assessment.mode?.isByGoogle == true { return [.paragraph(ServiceCommand.noWayBack)] }
            return [
                .paragraph(ServiceCommand.rollBack), .code(ServiceCommand(identity: identity).rollback, language: "sh"),
            ]
        }
        let deploying: [Document.Block] =
            [
                .paragraph("To roll back, deploy it again without \(code: "enforceAppCheck"). That takes minutes:"),
                .code([deployment], language: "sh"),
            ] + (trueName == nil ? [.paragraph(EnforcementCode.unknownCapitals)] : [])
        guard let old = wayBack else { return deploying }
        return [
            .paragraph(
                """
                The fastest way is to send all requests to the revision without enforcement. That takes seconds and \
                needs no build, but the next deployment may reverse it, or get no requests:
                """),
            .code(CloudCommand(identity).sendingRequests(to: old.name), language: "sh"),
        ] + deploying
    }
}
