import Readiness
import Verifications

extension Explanation {
    /// What happened since the switch, next to the prediction: who is refused, and how to roll back.
    var aftermathSection: Document.Section? {
        guard let aftermath = function.assessment.aftermath else { return nil }
        var blocks: [Document.Block] = [.paragraph(aftermath.wording(function.assessment.enforcement))]
        let lines = aftermath.callers.refusedLines
        if !lines.isEmpty { blocks.append(.figures(lines)) }
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
            : "The revisions that had requests in the last \(String(RevisionSummary.days)) days."
        return Document.Section(
            title: "Revisions, last \(RevisionSummary.days) days", blocks: [.table(table), .paragraph(meaning, .faint)])
    }
}

extension AdmittedCallers {
    /// The clients that were refused, most refused first.
    var refusedLines: [(figure: Wording, text: Wording)] {
        clients.filter { $0.value.blocked > 0 }.sorted { ($1.value.blocked, $0.key) < ($0.value.blocked, $1.key) }
            .prefix(AdmittedCallers.listed).map { client, counts in
                (
                    figure: "\(Figures.grouped(counts.blocked)) of \(Figures.grouped(counts.admitted))",
                    text: client.claim
                )
            }
    }

    private static let listed = 10
}

extension AdmittedCallers.Client {
    /// `iOS apps, com.example.app 3.1.0 on iOS 17`, `browsers, Firefox, parents.academy.example`.
    var claim: Wording {
        guard let version, !kind.hasSite else {
            return "\(kind.claim)\(browser.map { ", \($0.claim)" } ?? "")" + (site.map { ", \(name: $0)" } ?? "")
        }
        let system = version.os.isEmpty ? "" : " (system version \(version.os))"
        return "\(kind.claim), \(name: version.app) \(name: version.version)\(system)"
    }
}

extension FunctionSummary {
    /// False if neither the log nor the policy shows anything about enforcement.
    var knowsEnforcement: Bool { callers?.isAboutProject == true || assessment.enforcement.policy != nil }
}

extension Enforcement {
    /// `since 22 Jun 09:23 UTC`, `since 22 Jun 2026`: when it was switched on, as far as that is known.
    var span: String {
        guard let start else { return "since an unknown time" }
        if isAhead {
            if let unclearDay { return "since \(CalendarText.day(unclearDay))" }
            if case .date(let day) = policy { return "from \(CalendarText.day(day)) on" }
            return "from \(CalendarText.moment(start)) on"
        }
        if case .date = policy, start.nanosecondOfDay == 0 { return "since \(CalendarText.day(start.day))" }
        return "since \(CalendarText.moment(start))"
    }

    /// Why a policy's date counts from its end on.
    var lateness: String {
        if case .date(let day) = policy, !isSeen, !isAhead, start != Instant(day: day, nanosecondOfDay: 0) {
            return " (the policy gives \(CalendarText.day(day)) without a time)"
        }
        return ""
    }

    /// Where this is known from.
    var origin: String { !isDoubted && (source == .log || isSeen) ? "as the log shows" : "by policy" }

    /// That some of the requests without a valid token were refused, after a number of all.
    var refusal: Wording {
        state == .off || start == nil || isAhead ? "" : " Enforcement has refused such requests \(span)."
    }

    /// True if by policy enforcement is on, and the log contradicts it.
    var isDoubted: Bool {
        switch doubt {
        case .off, .served: true
        case .switched, nil: false
        }
    }

    /// What to call requests without a valid token in the days that are judged: fewer of them may be refused.
    var fate: String { hasRefused ? "have no valid token" : "would be refused" }
}

extension Lockout {
    /// `22 of 41 since 22 Jun 09:23 UTC`: signed-in requests that enforcement refuses, of those that were checked.
    func share(of assessment: Assessment) -> String {
        let share = "\(Figures.grouped(refused)) of \(Figures.grouped(requests))"
        return share
            + (lastDays.map { " in the last \(Figures.counted($0, "day"))" } ?? " " + assessment.enforcement.span)
    }

    /// `22 of 41 since 22 Jun 09:23 UTC, all signed in`.
    func brief(of assessment: Assessment) -> Wording { "\(share(of: assessment)), all signed in" }
}

extension Enforcement.Recent {
    /// Claims neither that enforcement is off nor that nobody is refused.
    var wording: Wording {
        let verb = refused == 1 ? "request has" : "requests have"
        return """
            \(Figures.grouped(refused)) \(verb) been refused since \(CalendarText.moment(first)), too few to know \
            whether enforcement is on
            """
                + (served > 0
                    ? ": \(Figures.counted(served, "other")) like \(refused == 1 ? "it" : "them") \(served == 1 ? "was" : "were") served."
                    : ".")
    }
}

extension Aftermath {
    /// Since when, how many are refused, how many were predicted, and whether that fits.
    func wording(_ enforcement: Enforcement) -> Wording {
        let hour = lastHour.map { hour -> Wording in
            ", \(Figures.grouped(hour.refused)) of \(Figures.grouped(hour.requests)) in the last hour"
        }
        let daily = elapsedDays >= 1 ? ", \(Figures.amount(refusedPerDay)) a day" : ""
        return """
            Since \(CalendarText.moment(since)) (\(enforcement.origin)): \(Figures.grouped(all.refused)) of \
            \(Figures.counted(all.requests, "request")) \(enforcement.isDoubted ? "without a valid token" : "refused")\
            \(daily)
            """ + (hour ?? "")
                + (signedIn.refused == all.refused && all.refused > 1
                    ? ", all signed in. " : "; \(Figures.grouped(signedIn.refused)) of them signed in. ") + prediction
    }

    /// The same in one sentence, for a function that is named.
    var news: Wording {
        let fit: Wording =
            switch answer {
            case .asPredicted, nil: "as predicted"
            case .more: "more than predicted"
            case .fewer: "fewer than predicted"
            }
        guard elapsedDays >= 1 else {
            return """
                enforcement has refused \(Figures.grouped(all.refused)) of \(Figures.counted(all.requests, "request")) \
                since \(CalendarText.moment(since)), \(fit).
                """
        }
        let expected = predictedPerDay.map { " (\(Figures.amount($0)) a day predicted)" } ?? ""
        return "enforcement refuses \(Figures.amount(refusedPerDay)) requests a day, \(fit)\(expected)."
    }

    private var prediction: Wording {
        guard let predictedPerDay, let predictedPerDayUpper else {
            return "Nothing was predicted: the log has no earlier requests."
        }
        let predicted: Wording = """
            Predicted the day before: \(Figures.amount(predictedPerDay)) a day (at most \
            \(Figures.amount(predictedPerDayUpper, .up))). 
            """
        return switch answer {
        case .asPredicted: predicted + "As predicted."
        case .more: predicted + "More than predicted, beyond chance."
        case .fewer: predicted + "Fewer than predicted, beyond chance."
        case nil: predicted + "Too few requests to compare."
        }
    }
}

extension FunctionSummary {
    /// What to type to deploy it without enforcement.
    var deployment: String { EnforcementCode.deployments(of: [self]).joined() }

    /// How to roll back, as lines to copy, the fastest way first.
    var rollbackCommands: [String] {
        let old = revisions.last { $0.state == .off }.map { CloudCommand(identity).sendingRequests(to: $0.name) }
        return (old.map { ["# in seconds, until you deploy again:"] + $0 } ?? [])
            + ["# without enforceAppCheck:", deployment]
    }

    /// How to roll back, and how long that takes: first to a revision without enforcement, if the log shows one.
    var rollback: [Document.Block] {
        let deploying: [Document.Block] =
            [
                .paragraph("To roll back, deploy it again without \(code: "enforceAppCheck"). That takes minutes:"),
                .code([deployment], language: "sh"),
            ] + (trueName == nil ? [.paragraph(EnforcementCode.unknownCapitals)] : [])
        guard let old = revisions.last(where: { $0.state == .off }) else { return deploying }
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
