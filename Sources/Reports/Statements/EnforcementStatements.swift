import Readiness
import Verifications

extension Finding {
    func enforcementStatement(_ assessment: Assessment) -> Statement? {
        let enforcement = assessment.enforcement
        switch code {
        case .exempt: return says("Exempt by policy: \(sentence: names.first ?? "")", short: "\(names.first ?? "")")
        case .enforced:
            return says(
                """
                Enforced \(enforcement.span), \(assessment.origin). callcheck only checks whether \
                \(assessment.aftermath?.asksSignedIn == false ? "people" : "signed-in people") are refused.
                """,
                short: "\(enforcement.span)")
        case .enforcedByLog:
            return says(
                """
                Enforced \(enforcement.span), as the log shows: requests without a valid App Check token are answered \
                401.
                """,
                short: "\(enforcement.span), by the log")
        case .lockout: return says(lockoutSentences(assessment), short: assessment.lockout?.brief(of: assessment) ?? "")
        case .switchUnclear:
            return days.first.map { day in
                says(
                    """
                    The log does not show at what time of \(CalendarText.day(day)) enforcement was switched on, so it \
                    is unknown who was refused on that day. Write the time into the policy: \
                    \(code: "enforced: \(day)T09:00Z").
                    """,
                    short: "time of \(CalendarText.short(day)) unknown")
            }
        case .silentSince:
            return says(
                """
                No requests since \(instant.map(CalendarText.minute) ?? "") UTC; before, \(Figures.amount(rate ?? 0)) a day. \
                Do the callers still reach it, and may they (the role Cloud Run Invoker)?
                """,
                short: "silent since \(instant.map { CalendarText.short($0.day) } ?? "")",
                shared: ("Silent since the switch", instant.map { "\(CalendarText.minute($0)) UTC" }, ""))
        case .policyUnconfirmed:
            return says(
                """
                Only the policy says so: the log shows no request that was refused, or let through, since then. The \
                function was not ready, and is not ready now. Export the request log as well, or wait for a request \
                without a valid token.
                """, short: "by policy alone, and not ready")
        case .superseded:
            return says(
                "The generation 2 function \(name: names.first ?? "") has taken over its traffic.",
                short: "by \(name: names.first ?? "") (gen 2)")
        case .enforcedPartly:
            let parts = enforcement.revisions.filter { $0.state != .unknown }.map { revision -> Wording in
                let share = "\(Figures.grouped(revision.refused)) of \(Figures.counted(revision.requests, "request"))"
                return revision.state == .on
                    ? "\(name: revision.name) refused \(share)" : "\(name: revision.name) refuses none"
            }
            return says(
                lead: "Only some revisions enforce App Check", item: parts.isEmpty ? nil : "\(list: parts)")
        case .refusedRecently: return says(refusedRecently(assessment))
        case .wasEnforced:
            return enforcement.past.map { past in
                says(
                    """
                    Enforcement was on from \(CalendarText.moment(past.from)) to \(CalendarText.moment(past.to)), and \
                    refused \(Figures.grouped(past.refused)) of \(Figures.counted(past.requests, "request")).
                    """)
            }
        case .planned:
            return says(
                lead: "Enforcement is planned by policy, and not on yet", item: assessment.enforcement.planned?.plan)
        case .policyContradicted:
            return says(
                """
                Enforced by policy, but the log shows that enforcement is off, so requests without a valid token are \
                let through. Deploy with \(code: "enforceAppCheck: true"), or take \(code: "enforced:") out of the \
                policy.
                """, short: "enforced by policy, off in the log")
        case .authContradicted:
            return says(
                """
                \(code: "requires-auth") is set, but the log shows that signed-out requests are served. Those without a \
                valid token would be refused: leave \(code: "requires-auth") out.
                """, short: "requires-auth is set, but signed-out requests are served")
        case .missingEntry:
            return says(
                lead: "The log shows enforcement, so add to the policy",
                item: assessment.missingEntry.map { "\(code: $0.line)" } ?? "")
        default: return nil
        }
    }
}

extension Finding {
    /// Returns sentences on how many are refused, and on the clauses of a lock-out that show it.
    private func lockoutSentences(_ assessment: Assessment) -> Wording {
        let lockout = assessment.lockout
        let whose = lockout?.isSignedIn ?? true ? "signed-in " : ""
        let only = lockout?.isMany == false ? lockout?.failing : nil
        let since = only?.instant.map { " since \(CalendarText.moment($0))" } ?? ""
        let had = "\(share("\(whose)request")) had no valid App Check token\(since)"
        let first: Wording =
            lockout?.isBeforeLog == true
            ? "\(total > 0 ? "Most requests have" : "Every request has") failed since the switch."
            : "Enforcement refuses \(whose)users: \(had)."
        var more: [Wording] = []
        if let value, let limit, value > limit { more.append("\(tooMany)") }
        if only == nil, let failing = lockout?.failing { more.append("Now \(failing.failingShare).") }
        if let platforms = lockout?.namedPlatforms.prefix(3), !platforms.isEmpty {
            more.append("Mostly refused: \(list: platforms.map(\.share)).")
        }
        if let day = lockout?.failingBeforeLog {
            more.append("On \(CalendarText.day(day)), requests failed before the SDK logged them.")
        }
        return ([first] + more).joined
    }
}

extension MissingEntry {
    var line: String { "- {\(lines.map { $0.dropFirst(2) }.joined(separator: ", "))}" }

    var lines: [String] {
        [
            "- match: \(MissingEntry.scalar(match))", project.map { "  project: \(MissingEntry.scalar($0))" },
            region.map { "  region: \(MissingEntry.scalar($0))" },
            settingLine,
        ].compactMap(\.self)
    }

    private var settingLine: String {
        switch setting {
        case .enforced(let start): "  enforced: \(start.day)T\(CalendarText.clock(start))Z"
        case .maxPerWeek(let most): "  max-per-week: \(most)"
        }
    }

    /// A name as YAML, quoted unless it is made of letters, digits, `-` and `_`.
    private static func scalar(_ name: String) -> String {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
        if name.allSatisfy(plain.contains), name.first.map({ $0 != "-" && $0 != "_" }) ?? false { return name }
        return "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
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
    /// True where it holds for requests alone that fail before the SDK logs them.
    var isBeforeLog: Bool {
        failingBeforeLog != nil && !isMany && failing == nil && platforms.isEmpty && hours == nil
    }

    /// The platform of which alone is told.
    private var onlyPlatform: PlatformCount? { isMany || failing != nil ? nil : namedPlatforms.first }

    /// `22 of 41`: requests that enforcement refuses, of those that were checked.
    var share: String {
        isBeforeLog ? "every request" : "\(Figures.grouped(shown.refused)) of \(Figures.grouped(shown.requests))"
    }

    /// `22 of 41 since 22 Jun 09:23 UTC`, `22 of 41 from Android apps since the switch`.
    func share(of assessment: Assessment) -> Wording {
        if isBeforeLog, let day = failingBeforeLog {
            let failed = assessment.reasons[.failingBeforeLog].map { Figures.counted($0.number, "request") }
            return failed.map { "\($0) answered 5xx on \(CalendarText.short(day))" }
                ?? "requests failed on \(CalendarText.short(day)) before they were logged"
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
            case _ where assessment.isOfService:
                unknownOrigin > 0 ? ", \(Figures.grouped(unknownOrigin)) of them of unknown origin" : ""
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
    private var rollbackRevision: RevisionSummary? { assessment.enforcement.rollbackRevision }

    /// How to roll back in few words, the fastest way first.
    var briefRollback: [Document.Block] {
        if identity.isService { return rollback }
        let old = rollbackRevision.map { CloudCommand(identity).sendingRequests(to: $0.name) }
        let fastest = old.map { command -> [Document.Block] in
            [.paragraph("  Fastest, but undone by your next deploy:"), .code(command, language: "sh")]
        }
        return (fastest ?? [])
            + [.paragraph("  Remove \(code: "enforceAppCheck"), then:"), .code([deployment], language: "sh")]
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
            ] + (sourceName == nil ? [.paragraph(EnforcementCode.unknownCapitals)] : [])
        guard let old = rollbackRevision else { return deploying }
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

extension Finding {
    /// Claims neither that enforcement is off nor that nobody is refused.
    private func refusedRecently(_ assessment: Assessment) -> Wording {
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
        guard let entry = assessment.presumedEntry else { return sentence }
        return sentence + " If you switched it on, add to the policy: \(code: entry.line)"
    }
}
