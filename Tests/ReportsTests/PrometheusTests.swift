import Readiness
import TestSupport
import Testing
import Verifications

@testable import Reports

/// Metrics as Prometheus and its tools want them.
@Suite struct PrometheusTests {
    /// Syntax, naming and units, by Prometheus' own linter, which fails on any remark.
    @Test(.enabled(if: ExternalTool.promtool.isExpected, "promtool is not installed: apt-get install prometheus"))
    func lintersHaveNoRemark() throws {
        let texts =
            [ChangesReportTests.eventful, Story.judged, Story.troubled, Story.empty].map {
                Report.summary($0).text(.prometheus)
            }
            + [#"a"b\c"#, "a\nb", "é\u{301}", "\u{202e}", ""].map {
                Report.summary(PageSample.hostileSummary([$0])).text(.prometheus)
            }
        for text in texts {
            #expect(try ExternalTool.promtool.run(["check", "metrics"], input: Array(text.utf8)) == [])
        }
    }

    /// The collector refuses a file with a series twice; so two services of one shown name differ in their labels.
    @Test func seriesAreUnique() {
        func function(_ service: String, _ name: String) -> FunctionSummary {
            var function = Sample.function(name) { _ in [Requests(app: .valid, count: 1)] }
            function = function.changed {
                $0.identity = FunctionIdentity(project: "p", region: "r", name: service, generation: .second)
            }
            return function
        }
        let functions = [
            function("a", "same"), function("b", "same"), function("same (b)", "same (b)"), function("same", "same"),
        ]
        let labels = FunctionLabels(functions)
        let names = functions.map { labels[$0].map(\.value)[2] }
        #expect(Set(names).count == 4)
        #expect(names[0] == "same")
        let text = Report.summary(Sample.summary(functions)).text(.prometheus)
        let series = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.prefix(upTo: $0.lastIndex(of: " ") ?? $0.endIndex) }
        #expect(Set(series).count == series.count)
    }

    @Test func labelValuesAreEscaped() {
        #expect(PrometheusWriter.escaped(#"a\b"c"# + "\nd") == #"a\\b\"c\nd"#)
        #expect(PrometheusWriter.escaped("\"\u{301}") == "\\\"\u{301}")
        #expect(PrometheusWriter.escaped("\u{1b}[1m\r\u{202e}") == "<U+001B>[1m<U+000D><U+202E>")
        #expect(PrometheusWriter.escaped("日本") == "日本")
    }

    /// Only problems that occurred have a series.
    @Test func problemsThatOccurred() {
        let summary = Sample.summary([Sample.function("f") { _ in [Requests(app: .valid, count: 1)] }]) { input in
            input.problems.append(
                Problem(source: "a", kind: .truncatedGzip, byteOffset: 1, record: nil, detail: ""))
        }
        let lines = Report.summary(summary).text(.prometheus).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("callcheck_input_problems{") } == [
                #"callcheck_input_problems{kind="truncated-gzip"} 1"#
            ])
    }

    /// One verdict of a function is 1, the others are 0.
    @Test func verdictsAreAStateSet() {
        let lines = Report.summary(Story.judged).text(.prometheus).split(separator: "\n")
        let states = lines.filter { $0.hasPrefix("callcheck_verdict{") }
        #expect(states.count == Story.judged.functions.count * Verdict.allCases.count)
        #expect(states.count { $0.hasSuffix(" 1") } == Story.judged.functions.count)
        #expect(states.count { $0.hasSuffix(" 0") } == states.count - Story.judged.functions.count)
    }
}
