import Readiness
import TestSupport
import Testing
import Verifications

@testable import Reports

@Suite struct NotesTests {
    private func notes(
        _ functions: [FunctionSummary], asOf: Instant? = nil, input: (inout InputSummary) -> Void = { _ in }
    ) -> [String] {
        NotesTests.found(in: Sample.summary(functions, asOf: asOf, input: input))
    }

    /// All but the verdicts' reasons, each in short: its code, its number, and what it is about.
    private static func found(in summary: Summary) -> [String] {
        func short(_ finding: Finding, _ subject: String? = nil) -> String {
            [finding.name, finding.value.map { String(Int($0)) }, subject].compactMap { $0 }.joined(separator: " ")
        }
        return summary.inputFindings.map { short($0) }
            + summary.projectFindings.map { short($1, $0) }
            + summary.functions.flatMap { function in function.notices.map { short($0, function.name) } }
    }

    private func plain(days: Int = 9, name: String = "f", generation: Generation? = .first) -> FunctionSummary {
        Sample.function(name, generation: generation, days: days) { _ in
            [Requests(app: .valid, count: 9), Requests(app: .invalid, count: 1)]
        }
    }

    @Test func aGoodInputHasNone() {
        #expect(notes([plain(), plain(name: "g", generation: .second)]) == [])
    }

    @Test func everyNoteHasItsCause() {
        func counts(_ change: (inout InputSummary) -> Void) -> [String] { notes([plain()], input: change) }
        #expect(counts { $0.malformed = 2 } == ["malformed 2"])
        #expect(counts { $0.oversized = 2 } == ["oversized 2"])
        #expect(counts { $0.duplicates = 2 } == ["duplicates 2"])
        #expect(counts { $0.filtered = 2 } == ["filtered 2"])
        #expect(counts { $0.ignored = 2 } == ["ignored 2"])
    }

    /// Entries that a function's own code may have written are reported with its name and what to change in it.
    @Test(arguments: [
        (Discarded(unlabelled: 1), 1, "ignored: 1 without the SDK's label."),
        (Discarded(otherMessage: 2), 2, "ignored: 2 without the SDK's message."),
        (Discarded(repeated: 335), 335, "ignored: 335 repeating a request."),
        (Discarded(unlabelled: 1, repeated: 1), 2, "ignored: 1 without the SDK's label, 1 repeating a request."),
    ])
    func entriesOfTheFunctionsOwnCode(discarded: Discarded, count: Int, kinds: String) {
        let function = plain(name: "scan").changed { $0.table.discard(discarded) }
        let summary = Sample.summary([function, plain(name: "other")]) { $0.ignored = discarded.total + 3 }
        #expect(NotesTests.found(in: summary) == ["ignored 3", "discarded \(count) scan"])
        let text = summary.notes.last?.sentence.text(ascii: true) ?? ""
        #expect(text.contains("are ignored: scan (\(count))."), "\(text)")
        let alone = function.notices[.discarded]?.statement(of: function.assessment).sentence.text(ascii: true) ?? ""
        #expect(alone.contains(kinds), "\(alone)")
        #expect(text.contains("{ data: req.data }"))
    }

    @Test func timesThatAreMissingOrTooLate() {
        var function = plain()
        function = function.changed { $0.table.add(Requests(app: .valid, count: 3), on: nil) }
        #expect(notes([function]) == ["undated 3"])

        function = plain()
        let asOf = Instant(day: Sample.firstDay.advanced(by: 6), nanosecondOfDay: 5)
        #expect(notes([function], asOf: asOf) { $0.later = 20 } == ["after-clock 20"])

        var writer = CellWriter()
        for number in 0..<CellTable.dayLimit + 3 {
            writer.add(at: Instant(day: Day(number: Int32(number)), nanosecondOfDay: 0))
        }
        let pooled = FunctionSummary(identity: plain().identity, name: "f", table: writer.finish())
        #expect(notes([pooled]) { $0.undated = 0 } == ["days-pooled 3"])
    }

    @Test func statusesThatTheSDKDoesNotWrite() {
        for (app, auth) in [(TokenStatus.other, TokenStatus.valid), (.valid, .other), (.other, .other)] {
            var function = plain()
            function = function.changed { $0.table.add(Requests(app: app, auth: auth, count: 4), on: Sample.firstDay) }
            #expect(notes([plain(name: "g"), function]) == ["other-status 4 f"])
        }
    }

    /// `gcloud logging read` reads one day; 25 hours is the last span that is still taken for it.
    @Test(arguments: [(25 * 3600, true), (25 * 3600 + 1, false), (0, true)])
    func shortSpans(seconds: Int64, isShort: Bool) {
        let first = Sample.instant("2026-10-01T10:00:00Z")
        var writer = CellWriter()
        for instant in [first, first.adding(seconds: seconds)] { writer.add(at: instant) }
        let function = FunctionSummary(identity: plain().identity, name: "f", table: writer.finish())
        #expect(notes([function]).contains("short-span") == isShort)
        // Whoever asked for a time range knows that the span is short.
        #expect(notes([function]) { $0.filtered = 1 } == ["filtered 1"])
    }

    @Test func daysWithoutDataBetweenOthers() {
        let gappy = Sample.function("f", generation: .first) { day in
            [3, 4, 9].contains(day) ? [] : [Requests(app: .valid, count: 90)]
        }
        #expect(notes([gappy]) == ["coverage-gap 3 demo-prod"])
        // Another function of the project that is called on those days shows that the export has no hole.
        #expect(notes([gappy, plain(days: 14, name: "g")]) == [])

        // So does one that was not selected: its days are known from the project.
        var summary = Sample.summary([gappy])
        summary.projects = Sample.projects(of: [gappy, plain(days: 14, name: "g")])
        #expect(summary.notes.isEmpty)
    }

    /// Where it is among the reasons, it is not a notice as well.
    @Test func passesAtInfoOnly() {
        let old = Sample.function("f", generation: .first, severity: .info) { _ in [Requests(app: .valid, count: 2)] }
        #expect(Sample.summary([old]).functions[0].assessment.listed.has(.sdk3))
        #expect(notes([old]) == [])
        let text = Sample.unlabelled("f", generation: .first) { _ in [Requests(app: .valid, count: 2)] }
        #expect(notes([text]) == ["passes-at-info f"])
        let both = old.changed { $0.table.add(Requests(app: .valid, count: 1), on: Sample.firstDay) }
        #expect(notes([both]) == [])
    }

    @Test func namesThatStandForMany() {
        #expect(notes([plain(), plain(name: "-")]) == ["unnamed 90"])
    }

    @Test func whatNobodyCalls() {
        var silent = FunctionSummary(identity: plain(name: "g").identity, name: "g", table: CellTable())
        silent = silent.changed { $0.listing = .deployed(.callable) }
        #expect(notes([plain(), silent]) == ["not-called g"])
        silent = silent.changed { $0.listing = .unmatched(suggestion: nil) }
        #expect(notes([plain(), silent]) == [])
    }

    /// Named, and nothing is known of where: what `firebase functions:log` prints.
    @Test func whatDoesNotSayWhere() {
        let nowhere = FunctionIdentity(project: "-", region: "-", name: "f", generation: nil)
        var lost = plain()
        lost = lost.changed { $0.identity = nowhere }
        #expect(notes([lost]) == ["unplaced 90"])
        lost = lost.changed {
            $0.identity = FunctionIdentity(project: "-", region: "us-central1", name: "f", generation: nil)
        }
        #expect(notes([lost]) == [])
    }

    @Test func problemsAreNamedWithTheirPlace() {
        let text = Story.troubled.notes.map { $0.sentence.text(ascii: true) }.joined(separator: "\n")
        #expect(text.contains("logs/a.json.gz, byte 81,234 (truncated-gzip)"))
        #expect(text.contains("(first: logs/a.json.gz, record 812)"))
        #expect(text.contains("standard input, byte 123 (unterminated-array)"))
    }

    /// Cautions come before what only explains, in every summary.
    @Test func cautionsComeFirst() {
        let cautions = Story.troubled.notes.map(\.isCaution)
        #expect(cautions.contains(true) && cautions.contains(false))
        #expect(cautions == cautions.filter { $0 } + cautions.filter { !$0 })
    }
}
