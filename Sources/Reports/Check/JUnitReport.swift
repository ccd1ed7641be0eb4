import Readiness
import Verifications

/// The answer of a gate as JUnit XML, which pipelines show as test results: a test case for each function.
///
/// A function that fails the gate is a failure with the reasons as its text; one that may pass without being known to
/// be safe is skipped. The attributes are those of the schema that Jenkins publishes (`junit-10.xsd`).
struct JUnitReport {
    let check: GateCheck

    func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        let functions = summary.functions.map { (function: $0, outcome: check.outcome(of: $0)) }
        let passed = check.hasPassed(summary)
        // A gate can fail although no function does: when nothing was selected, or not everything could be read.
        let isBroken = !passed && !functions.contains { $0.outcome == .fails }
        func count(_ outcome: GateCheck.Outcome) -> Int { functions.count { $0.outcome == outcome } }
        let counts = """
            tests="\(functions.count + (isBroken ? 1 : 0))" failures="\(count(.fails))" \
            errors="\(isBroken ? 1 : 0)" skipped="\(count(.undecided))"
            """
        sink.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n")
        let time = summary.asOf.map { " timestamp=\"\($0.description.prefix(19))\"" } ?? ""
        sink.write("<testsuite name=\"App Check gate\" \(counts)\(time)>\n")
        if isBroken {
            let conclusion = check.conclusion(summary).text(ascii: false)
            sink.write(
                """
                <testcase classname="callcheck" name="input">
                <error message="\(HTMLText.escaped(conclusion))"/>
                </testcase>

                """)
        }
        for (function, outcome) in functions { sink.write(JUnitReport.testCase(function, outcome)) }
        sink.write("</testsuite>\n</testsuites>\n")
    }

    private static func testCase(_ function: FunctionSummary, _ outcome: GateCheck.Outcome) -> String {
        let identity = function.identity
        let place = [identity.project, identity.region].map { DisplayText(name: $0).text }.joined(separator: ".")
        let start = "<testcase classname=\"\(HTMLText.escaped(place))\" name=\"\(HTMLText.name(function.name))\""
        let message = "message=\"\(HTMLText.escaped(function.finding.text(ascii: false)))\""
        let caution = function.policyCaution.map { caution in
            "<system-out>\(HTMLText.escaped(caution.text(ascii: false)))</system-out>\n"
        }
        switch outcome {
        case .passes: return start + (caution.map { ">\n\($0)</testcase>\n" } ?? "/>\n")
        case .undecided: return start + ">\n<skipped \(message)/>\n\(caution ?? "")</testcase>\n"
        case .fails:
            let reasons = function.assessment.reasonWordings.map { HTMLText.escaped($0.text(ascii: false)) + "\n" }
            return """
                \(start)>
                <failure type="\(function.assessment.verdict.rawValue)" \(message)>
                \(reasons.joined())</failure>
                \(caution ?? "")</testcase>

                """
        }
    }
}

/// The answer of a gate as workflow commands of GitHub Actions, which become annotations
/// (<https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>).
///
/// GitHub shows ten annotations of a kind in a step: the answer, some functions, and how many more there are.
struct GitHubAnnotations {
    let check: GateCheck

    private static let most = 8

    func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        let answer = check.hasPassed(summary) ? "notice" : "error"
        func annotate(_ kind: String, _ title: String, _ text: String) {
            let title = GitHubAnnotations.escaped(title, inProperty: true)
            sink.write("::\(kind) title=\(title)::\(GitHubAnnotations.escaped(text, inProperty: false))\n")
        }
        annotate(answer, "App Check gate", check.conclusion(summary).text(ascii: false))
        for (outcome, kind) in [(GateCheck.Outcome.fails, "error"), (.undecided, "warning")] {
            let functions = summary.functions.filter { check.outcome(of: $0) == outcome }
            for function in functions.prefix(GitHubAnnotations.most) {
                annotate(kind, DisplayText(name: function.name).text, function.finding.text(ascii: false))
            }
            let rest = functions.count - GitHubAnnotations.most
            if rest > 0 { annotate(kind, "App Check gate", "and \(Figures.counted(rest, "more function")).") }
        }
        for note in summary.notes.filter(\.isCaution).prefix(GitHubAnnotations.most) {
            annotate("warning", "About the log", note.wording.text(ascii: false))
        }
    }

    /// The characters that end a message, and in a property those that end it.
    private static func escaped(_ text: String, inProperty: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where inProperty: escaped += "%3A"
            case "," where inProperty: escaped += "%2C"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension FunctionSummary {
    /// The verdict and the number that decided, in one sentence.
    fileprivate var finding: Wording {
        "\(assessment.word): \(brief)"
    }
}
