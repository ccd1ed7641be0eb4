import Readiness
import Verifications

/// The answer of a gate as JUnit XML, which pipelines show as test results: a test case for each function.
///
/// A function that fails the gate is a failure with the reasons as its text; one that may pass without being known to
/// be safe, or is exempt, is skipped, and so is a settings file that sets limits or selects. The attributes are those
/// of the schema that Jenkins publishes (`junit-10.xsd`).
struct JUnitReport {
    let check: GateCheck

    func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        let refusing = summary.functions.filter(\.assessment.isLockout)
        let functions = (refusing + summary.functions.filter { !$0.assessment.isLockout })
            .map { (function: $0, result: TestResult($0.assessment, check.gate)) }
        let passed = check.hasPassed(summary)
        let settings = summary.policy.settings.map { HTMLText.escaped($0.wording.text(ascii: false)) }
        // A gate can fail although no function does: when nothing was selected, or not everything could be read.
        let isBroken = !passed && (!functions.contains { $0.result == .failure } || !summary.input.faults.isEmpty)
        func count(_ result: TestResult) -> Int { functions.count { $0.result == result } }
        let counts = """
            tests="\(functions.count + (isBroken ? 1 : 0) + (settings == nil ? 0 : 1))" failures="\(count(.failure))" \
            errors="\(isBroken ? 1 : 0)" skipped="\(count(.skipped) + (settings == nil ? 0 : 1))"
            """
        sink.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n")
        let time = summary.asOf.map { " timestamp=\"\($0.description.prefix(19))\"" } ?? ""
        sink.write("<testsuite name=\"App Check gate\" \(counts)\(time)>\n")
        if isBroken {
            let conclusion = GateStatements(check, of: summary).all.joined.text(ascii: false)
            let notes = summary.notes.filter { $0.isOfInput && $0.isCaution }
                .map { HTMLText.escaped($0.sentence.text(ascii: false)) + "\n" }
            sink.write(
                """
                <testcase classname="callcheck" name="input">
                <error message="\(HTMLText.escaped(conclusion))">
                \(notes.joined())</error>
                </testcase>

                """)
        }
        if let settings {
            let start = "<testcase classname=\"callcheck\" name=\"settings\">"
            sink.write("\(start)\n<skipped message=\"\(settings)\"/>\n</testcase>\n")
        }
        for (function, result) in functions { sink.write(JUnitReport.testCase(function, result)) }
        let failOn = check.gate.failOn
        let oldLog = passed ? [summary.oldLog()].compactMap(\.self) : []
        let cautions =
            (oldLog + summary.cautions(failOn: failOn).sentences + summary.endings
            + summary.qualifying(failOn: failOn).sentences).map { HTMLText.escaped($0.text(ascii: false)) }
        if !cautions.isEmpty { sink.write("<system-out>\(cautions.joined(separator: "\n"))</system-out>\n") }
        sink.write("</testsuite>\n</testsuites>\n")
    }

    private enum TestResult {
        case success, skipped, failure

        init(_ assessment: Assessment, _ gate: Gate) {
            let outcome = gate.outcome(of: assessment)
            // An exemption is not a test that passed.
            let isSuccess = outcome == .passed && assessment.verdict != .exempt
            self = gate.isStopped(by: outcome) ? .failure : isSuccess ? .success : .skipped
        }
    }

    private static func testCase(_ function: FunctionSummary, _ result: TestResult) -> String {
        let identity = function.identity
        let place = [identity.project, identity.region].map { DisplayText(name: $0).text }.joined(separator: ".")
        let start = "<testcase classname=\"\(HTMLText.escaped(place))\" name=\"\(HTMLText.name(function.name))\""
        let sentence = function.answer("\(name: function.name)").text(ascii: false)
        let message = "message=\"\(HTMLText.escaped(sentence))\""
        switch result {
        case .success: return start + "/>\n"
        case .skipped: return start + ">\n<skipped \(message)/>\n</testcase>\n"
        case .failure:
            let isBack = function.assessment.isLockout
            let back = isBack ? [EnforcementCode.rollback([function])] : []
            let reasons = (back + function.assessment.statements.map(\.sentence)).map {
                HTMLText.escaped($0.text(ascii: false)) + "\n"
            }
            return """
                \(start)>
                <failure type="\(function.assessment.verdict.rawValue)" \(message)>
                \(reasons.joined())</failure>
                </testcase>

                """
        }
    }
}

/// The answer of a gate as workflow commands of GitHub Actions, which become annotations
/// (<https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>).
///
/// GitHub shows ten annotations of a kind in a step: what is refused now, the answer, some functions, and how many more
/// there are. Cautions come last.
struct GitHubAnnotations {
    let check: GateCheck

    private static let most = 10

    func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        let answer = check.hasPassed(summary) ? "notice" : "error"
        var room = ["error": GitHubAnnotations.most, "warning": GitHubAnnotations.most]
        func annotate(_ kind: String, _ title: String, _ text: String, at line: GateCheck.Line? = nil) {
            room[kind, default: 1] -= 1
            func property(_ text: String) -> String { GitHubAnnotations.escaped(text, inProperty: true) }
            let place = line.map { "file=\(property(DisplayText(name: $0.file).text)),line=\($0.number)," } ?? ""
            let message = GitHubAnnotations.escaped(text, inProperty: false)
            sink.write("::\(kind) \(place)title=\(property(title))::\(message)\n")
        }
        let names = summary.names
        let isLockout = !summary.lockedOut.isEmpty
        let title = isLockout ? "App Check locks users out" : "App Check gate"
        let statements = GateStatements(check, of: summary).all.map { $0.text(ascii: false) }
        annotate(answer, title, statements[0])
        for statement in statements.dropFirst() { annotate("notice", "App Check gate", statement) }
        let functions =
            check.failing(summary) + summary.functions.filter { check.gate.outcome(of: $0.assessment) != .against }
        for (isStopped, kind) in [(true, "error"), (false, "warning")] {
            let functions = functions.filter { function in
                let outcome = check.gate.outcome(of: function.assessment)
                // Who refuses people is in the answer.
                return outcome != .passed && check.gate.isStopped(by: outcome) == isStopped
                    && !function.assessment.isLockout
            }
            let shown = functions.prefix((room[kind] ?? 0) - 1)
            for function in shown {
                annotate(
                    kind, names[function].text(ascii: false), function.answer(names[function]).text(ascii: false),
                    at: check.lines.first { $0.pattern.matches(function) })
            }
            let rest = functions.count - shown.count
            if rest > 0 { annotate(kind, "App Check gate", "and \(Figures.counted(rest, "more function")).") }
        }
        for note in summary.notes.filter({ $0.isCaution && !$0.finding.display.contains(.inAnswers) }).prefix(
            room["warning"] ?? 0)
        {
            annotate("warning", "About the log", note.sentence.text(ascii: false))
        }
    }

    /// The characters that end a message, and in a property those that end it.
    private static func escaped(_ text: String, inProperty: Bool) -> String {
        text.spelling { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            case ":" where inProperty: "%3A"
            case "," where inProperty: "%2C"
            default: nil
            }
        }
    }
}
