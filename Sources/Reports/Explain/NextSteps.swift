import Readiness
import Verifications

extension Explanation {
    /// What to do next, by verdict.
    var nextSection: Document.Section? {
        switch function.assessment.verdict {
        case .enforce: Document.Section(title: "How to switch it on", blocks: enforcing)
        case .wait, .investigate: Document.Section(title: "What to look at first", blocks: causes)
        case .insufficient, .blind: isDeployedOnly ? nil : Document.Section(title: "What is missing", blocks: missing)
        case .enforced:
            function.assessment.isLockout
                ? Document.Section(title: "What to do now", blocks: rollingBack)
                : Document.Section(title: "What to watch", blocks: [.paragraph(nightly)])
        case .superseded: Document.Section(title: "What is left to do", blocks: [succession])
        case .exempt: nil
        }
    }

    var commands: CloudCommand {
        CloudCommand(function.identity)
    }

    private var enforcing: [Document.Block] {
        let code = EnforcementCode(function)
        var blocks: [Document.Block] = []
        for listing in code.listings {
            blocks += [.paragraph("\(listing.title)"), .code(listing.lines, language: listing.language)]
        }
        if code.mayHaveLostCase {
            blocks.append(
                .paragraph(
                    """
                    Write the name as your source does: the logs of generation 2 have lost its capitals \
                    (\(code: "--inventory") brings them back). Then deploy this function alone:
                    """))
        } else {
            blocks.append(.paragraph("Deploy this function alone:"))
        }
        blocks.append(.code([code.deployment], language: "sh"))
        return blocks + firstDay
    }

    /// What to watch when enforcement has just been switched on.
    private var firstDay: [Document.Block] {
        var blocks: [Document.Block] = [
            .paragraph(
                """
                For the first 24 hours, leave the other functions as they are. To roll back, deploy again without the \
                option. That takes minutes, so have it ready.
                """)
        ]
        if function.identity.generation == .second {
            blocks += [
                .paragraph("Who is refused now (each answer 401, with the app that asked):"),
                .code(commands.unauthorized, language: "sh"),
            ]
        }
        return blocks + [.paragraph("Put \(code: "enforced: DATE") for it into the policy. " + nightly)]
    }

    private var nightly: Wording {
        """
        The log shows the tokens of refused requests too. Run \(code: "callcheck check --fail-on lockout") each \
        night: it fails when signed-in people are refused.
        """
    }

    private var rollingBack: [Document.Block] {
        [
            .item(
                """
                Deploy it again without \(code: "enforceAppCheck"): people who are signed in are refused right now. \
                Then take \(code: "enforced:") out of the policy and wait for the verdict.
                """)
        ] + causes
    }

    /// What is missing for a verdict, one step for each reason, with the export that would show it.
    private var missing: [Document.Block] {
        let assessment = function.assessment
        guard !assessment.reasons.isEmpty else {
            return [.item("Select one function: \(name: function.name) is many together.")]
        }
        // Where passes are missing, and for a silent function, nothing else is worth counting.
        return assessment.reasons.filter { reason in
            assessment.verdict == .blind ? reason.kind == .blind : !assessment.isSilent || reason.kind == .silence
        }.flatMap { $0.words(assessment).remedy?(self) ?? [] }
    }

    /// An export as long as the longest window.
    var newExport: Document.Block {
        let numbers = function.assessment.policy.numbers
        return .code(commands.export(days: max(numbers.maxWindow, numbers.window)), language: "sh")
    }

    private var succession: Document.Block {
        let successor = function.assessment.reasons.lazy.compactMap { reason -> String? in
            if case .settled(.superseded(let by)) = reason { by.name } else { nil }
        }.first
        return .paragraph(
            """
            Look at \(name: successor ?? function.name) instead. This one has no callers left: delete it, before \
            somebody finds it without App Check.
            """)
    }
}
