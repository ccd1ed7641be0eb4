import Reports
import Readiness
import Testing
import Verifications

@Suite(.serialized) struct PreviewTests {
    @Test func table() {
        let m = Sample.summary(Sample.project(functions: 3, days: 40)) { i in
            i.duplicates = 12; i.malformed = 3; i.ignored = 1; i.filtered = 4; i.oversized = 1
            i.problems.append(Problem(source: "a_b|c.json.gz", kind: .truncatedGzip, byteOffset: 81234, record: nil, detail: "the stream ends early"))
            i.problems.append(Problem(source: "a_b|c.json.gz", kind: .malformedRecord, byteOffset: 81234, record: 7, detail: "the stream ends early"))
        }
        print("===")
        print(MarkdownReport().text(m))
        print(TableReport(style: TerminalStyle(columns: 80)).text(m))
        print(CSVReport().text(m))
        print(JSONReport().text(Sample.summary(Sample.project(functions: 2, days: 2))))
    }
}
