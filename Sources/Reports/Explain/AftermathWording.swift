import Readiness
import Verifications

extension Explanation {
    /// What happened since the switch, beside what had been predicted; and how to go back, where that is more.
    var aftermathSection: Document.Section? {
        guard let aftermath = function.assessment.aftermath else { return nil }
        var blocks: [Document.Block] = [.paragraph(aftermath.wording)]
        if aftermath.answer == .more, !function.assessment.isLockout {
            blocks += function.rollback
        }
        return Document.Section(title: "Since enforcement", blocks: blocks)
    }

    /// How revisions that shared the requests compare: that is how a switch in stages is judged.
    var revisionSection: Document.Section? {
        let revisions = function.revisions
        guard revisions.count > 1 else { return nil }
        var table = Table(
            numbers: ["requests", "no valid token"], words: ["enforcement"],
            rows: revisions.map { revision in
                [
                    .number(revision.requests), .share(revision.blocked, of: revision.requests),
                    .words("\(revision.state.rawValue)"),
                ]
            })
        table.columns.insert(Table.Column(head: "revision"), at: 0)
        let names = revisions.map { $0.name(of: function) }
        table.groups[0].rows = AnyRandomAccessCollection(
            zip(names, Array(table.groups[0].rows)).map { [.words("\(name: $0)")] + $1 })
        let isStaged = Set(revisions.map(\.state)).isSuperset(of: [.on, .off])
        let meaning: Wording =
            isStaged
            ? "Where enforcement is on, requests without a valid token are refused. Compare their share with the others'."
            : "On days when more than one revision had requests, in the last \(String(RevisionSummary.days)) days."
        return Document.Section(
            title: "Revisions, last \(RevisionSummary.days) days", blocks: [.table(table), .paragraph(meaning, .faint)])
    }
}

extension Aftermath {
    /// Since when, how many are refused, how many were predicted, and whether that fits.
    var wording: Wording {
        let start = since.map { "Since \(CalendarText.day($0))" } ?? "Since before the log begins"
        let known = source == .log ? " at the latest, as the log shows" : ", as the policy says"
        return """
            \(start)\(since == nil ? ", as the log shows" : known): \(Figures.grouped(refused)) of \
            \(Figures.counted(requests, "request")) refused, \(Figures.amount(refusedPerDay)) a day; \
            \(Figures.grouped(refusedSignedIn)) of them from people who are signed in. 
            """ + prediction
    }

    /// The same in one sentence, for a function that is named.
    var news: Wording {
        let fit: Wording =
            switch answer {
            case .asPredicted, nil: "as predicted"
            case .more: "more than predicted"
            case .fewer: "fewer than predicted"
            }
        let expected = predictedPerDay.map { " (\(Figures.amount($0)) a day predicted)" } ?? ""
        return "enforcement refuses \(Figures.amount(refusedPerDay)) requests a day, \(fit)\(expected)."
    }

    private var prediction: Wording {
        guard let predictedPerDay, let predictedPerDayUpper else {
            return since == nil
                ? "What had been predicted is not known, as the day of the switch is not."
                : "Nothing had been predicted: the log has no requests from before."
        }
        let predicted: Wording = """
            Predicted the day before: \(Figures.amount(predictedPerDay)) a day, at most \
            \(Figures.amount(predictedPerDayUpper, .up)). 
            """
        return switch answer {
        case .asPredicted: predicted + "That is as predicted."
        case .more: predicted + "That is more than predicted, beyond chance."
        case .fewer: predicted + "That is fewer than predicted, beyond chance."
        case nil: predicted + "There are too few requests to compare them."
        }
    }
}

extension RevisionSummary {
    /// `addmessage-00006-taj`.
    fileprivate func name(of function: FunctionSummary) -> String { "\(function.identity.name)-\(revision.ending)" }
}

extension FunctionSummary {
    /// How to go back, and how long that takes: first to a revision without enforcement, where the log shows one.
    var rollback: [Document.Block] {
        let deployment: [Document.Block] = [
            .paragraph("To roll back, deploy it again without \(code: "enforceAppCheck"). That takes minutes:"),
            .code([EnforcementCode(self).deployment], language: "sh"),
        ]
        guard let old = revisions.last(where: { $0.state == .off }) else { return deployment }
        return [
            .paragraph(
                """
                Fastest is to send all requests to the revision without enforcement. That takes seconds and needs no \
                build, but the next deployment may change it back, or not get any requests:
                """),
            .code(CloudCommand(identity).sendingRequests(to: old.name(of: self)), language: "sh"),
        ] + deployment
    }
}
