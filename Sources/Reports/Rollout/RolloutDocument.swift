import Readiness
import Rollout
import Verifications

extension RolloutReport {
    var document: Document {
        var document = Document(title: ["App Attest rollout"])
        document.add([.answer(answer), .facts(context, rest: .faint)])
        document.add(dayBlocks)
        document.add(versionBlocks, title: "Versions with failures")
        document.add(commands, title: "Next")
        document.add(notes.map { .item($0) } + [.provenance(basis)])
        return document
    }

    var counts: RolloutCounts { assessment.counts }

    private var answer: Document.Headline {
        let lines = assessment.reasons.map { $0.sentence(assessment) } + neverSucceeding
        return Document.Headline(tone: assessment.verdict.tone, conclusion: conclusion, lines: lines)
    }

    /// What an average hides: whoever fails as a whole, and an app that reports no failure.
    private var neverSucceeding: [Wording] {
        let (apps, systems) = counts.neverSucceeding
        let names =
            apps.map { "\(name: $0.name) (\(Figures.counted($0.users, "user")))" as Wording }
            + systems.map { "iOS \(name: $0.name) (\(Figures.counted($0.users, "user")))" }
        let total = counts.total
        let silent: Wording? =
            counts.days.allSatisfy { $0.failed == 0 } && total.users >= RolloutReport.usersWithAFailure
            ? """
            Not one failure among \(Figures.counted(total.users, "user")): check that the app logs \(code: "AppAttestFailure").
            """ : nil
        let never: Wording? =
            names.isEmpty
            ? nil
            : """
            Nobody has ever succeeded with \(list: names). Find out why first: enforcement would refuse all of them.
            """
        return [never, silent].compactMap(\.self)
    }

    private var conclusion: Wording {
        let now = assessment.template.map { Figures.exactRate($0.percent / 100) }
        switch (assessment.verdict, now, assessment.next.map { Figures.exactRate($0 / 100) }) {
        case (.raise, let now?, let next?): return "Raise \(name: parameter) from \(now) to \(next)."
        case (.raise, let now?, nil):
            return "Raise \(name: parameter) from \(now): \(code: "steps") names no larger percentage."
        case (.raise, nil, _): return "Raise the percentage."
        case (.done, _, _): return "The rollout is complete: \(name: parameter) is at 100%."
        case (.hold, let now?, _): return "Keep \(name: parameter) at \(now)."
        case (.hold, nil, _): return "Keep the percentage."
        case (.rollBack, let now?, let next):
            return "Roll back: lower \(name: parameter) from \(now)\(next.map { " to \($0)" } ?? "")."
        case (.rollBack, nil, _): return "Roll back: lower the percentage."
        }
    }

    private var context: [Wording] {
        var facts: [Wording] = ["\(name: parameter)"]
        if let condition = assessment.template?.condition { facts.append("condition \(name: condition)") }
        let days = assessment.judgedDays
        if let first = days.first?.day, let last = days.last?.day {
            facts.append("\(CalendarText.span(from: first, to: last))")
        }
        facts.append("\(Figures.counted(counts.total.users, "user"))")
        if let rate = assessment.rate {
            facts.append("\(Figures.grouped(counts.total.failedOnly)) never succeeded (\(Figures.rate(rate)))")
        }
        return facts
    }

    private var dayBlocks: [Document.Block] {
        guard !counts.days.isEmpty else { return [] }
        let rows = counts.days.suffix(assessment.policy.window + RolloutPolicy.lateDays).map { day -> [Table.Cell] in
            let isJudged = assessment.window?.contains(day.day) ?? false
            return [
                .words("\(CalendarText.weekday(day.day))"), .number(day.count.users), .number(day.succeeded),
                .number(day.failed), .number(day.count.failedOnly), .words(isJudged ? "" : "not judged"),
            ]
        }
        let numbers = ["users", "succeeded", "failed", "never succeeded"]
        return [.table(Table(lead: Table.Column(head: "day"), numbers: numbers, words: [""], rows: rows))]
    }

    private var versionBlocks: [Document.Block] {
        let failing = counts.versions.filter { $0.count.failedOnly > 0 }
        guard !failing.isEmpty else { return [] }
        let rows = failing.prefix(RolloutReport.listedVersions).map { client, count -> [Table.Cell] in
            let app: Wording = client.app.isEmpty ? "-" : "\(name: client.app)"
            let version: Wording = client.version.isEmpty ? "" : " \(name: client.version)"
            let system: Wording = client.os.isEmpty ? "" : "iOS \(client.os)"
            return [.words(app + version), .number(count.users), .number(count.failedOnly), .words(system)]
        }
        let lead = Table.Column(head: "app", widest: 60)
        return [.table(Table(lead: lead, numbers: ["users", "never succeeded"], words: ["system"], rows: rows))]
    }

    private var commands: [Document.Block] {
        guard let template = assessment.template else { return [] }
        switch assessment.verdict {
        case .raise:
            guard assessment.next != nil else { return [] }
            if template.isConsoleRollout {
                return [.paragraph("This is a rollout of the Firebase console: raise it there.")]
            }
            guard let patch else {
                return [.paragraph("\(code: "--patch FILE") writes the template with the new percentage.")]
            }
            return [
                .paragraph(
                    """
                    Name \(name: patch) as \(code: "remoteconfig.template") in \(code: "firebase.json"). Deploying \
                    replaces the whole template: make sure first that nothing was published since it was exported.
                    """),
                .code(
                    ["firebase remoteconfig:versions:list --limit 1", "firebase deploy --only remoteconfig"],
                    language: "sh"),
                .paragraph("To roll back:"), rollBack,
            ]
        case .rollBack:
            let origin: Wording = """
                The percentage before is not known, so this is the next lower step. Name it with \
                \(code: "--before-percent").
                """
            return (assessment.policy.previous == nil ? [.paragraph(origin)] : [])
                + [.paragraph("This restores the version before the last one, with every parameter in it:"), rollBack]
        case .done, .hold: return []
        }
    }

    /// The version of an exported template is the one to return to after a raise.
    private var rollBack: Document.Block {
        let isRaise = assessment.verdict == .raise
        let version = isRaise ? assessment.template?.version.map { " --version-number \($0)" } ?? "" : ""
        return .code(["firebase remoteconfig:rollback\(version)"], language: "sh")
    }
}

extension RolloutVerdict {
    var tone: Verdict {
        switch self {
        case .raise, .done: .enforce
        case .hold: .insufficient
        case .rollBack: .wait
        }
    }
}

extension RolloutReason {
    func sentence(_ assessment: RolloutAssessment) -> Wording {
        let most = assessment.policy.maxFailed
        let limit = Figures.exactRate(most)
        switch self {
        case .tooManyFailures(let lower):
            return "At least \(Figures.rate(lower, .down, against: most)) of users fail to attest; \(limit) is allowed."
        case .badDay(let day, let lower):
            let rate = Figures.rate(lower, .down, against: most)
            return "On \(CalendarText.day(day)) alone, at least \(rate) of users failed to attest; \(limit) is allowed."
        case .complete:
            let isNarrowed = assessment.template?.isNarrowed ?? false
            return "It is on for every user\(isNarrowed ? " whom the condition includes" : ""). "
                + RolloutReason.remainder(assessment)
        case .recovered(let days, let lower):
            let span = CalendarText.during(days.lowerBound, days.upperBound)
            return """
                At least \(Figures.rate(lower, .down, against: most)) of users failed to attest \(span); \(limit) is \
                allowed. That is over: only the \(Figures.counted(assessment.judgedDays.count, "day")) since then are \
                judged, and nothing has to be rolled back.
                """
        case .notStarted:
            let first = assessment.policy.steps.first.map { ", \(Figures.exactRate($0 / 100))," } ?? ""
            return "The percentage is 0: nobody has App Attest yet. Publish the first step\(first) to begin."
        case .underReported(let share):
            return """
                Only \(Figures.rate(share, .down)) of the users who should have an App Attest event have one; at least \
                \(Figures.exactRate(RolloutPolicy.leastReporting)) is required. Check that the released app logs the \
                events, and that few users have switched analytics off.
                """
        case .tooFewDays(let days):
            return """
                \(days == 0 ? "No complete day" : "Only \(Figures.counted(days, "complete day"))") with App Attest \
                events; at least \(String(RolloutPolicy.leastDays)) are required. Google Analytics completes a day \
                within \(String(RolloutPolicy.lateDays)) days.
                """
        case .fewFailures(let upper):
            return "At most \(Figures.rate(upper, .up, against: most)) of users fail to attest; \(limit) is allowed."
        case .fewUsers(let users):
            return """
                Only \(Figures.counted(users, "user")) so far: too few to estimate failures, but no sign of trouble. \
                Raising the percentage is safe: nothing is refused until you enforce.
                """
        case .tooFewUsers(let upper):
            let lower = Figures.rate(assessment.lower, .down, against: most)
            return """
                Between \(lower) and \(Figures.rate(upper, .up, against: most)) of users fail to attest; \(limit) is \
                allowed. More users are needed to decide.
                """
        }
    }

    private static func remainder(_ assessment: RolloutAssessment) -> Wording {
        guard let rate = assessment.rate else { return "" }
        let (most, upper, lower) = (assessment.policy.maxBlocked, assessment.upper, assessment.lower)
        let limit = "the \(Figures.exactRate(most)) that a function is allowed"
        let comparison: Wording =
            if upper <= most {
                "which is within \(limit). \(code: "callcheck check") decides for each function."
            } else if lower > most {
                "which is more than \(limit). Let these users fall back to DeviceCheck first."
            } else {
                "and more users will show whether that is within \(limit)."
            }
        return """
            \(Figures.rate(rate)) of iOS users cannot attest (at most \(Figures.rate(upper, .up, against: most))); \
            enforcement would refuse about that share, 
            """ + comparison
    }
}
