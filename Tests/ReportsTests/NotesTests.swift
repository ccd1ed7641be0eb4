import Readiness
import Testing
import Verifications

@testable import Reports

@Suite struct NotesTests {
    private func notes(
        _ functions: [FunctionSummary], asOf: Instant? = nil, input: (inout InputSummary) -> Void = { _ in }
    ) -> [Note] {
        Sample.summary(functions, asOf: asOf, input: input).notes
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
        func counts(_ change: (inout InputSummary) -> Void) -> [Note] { notes([plain()], input: change) }
        #expect(counts { $0.malformed = 2 } == [.malformed(count: 2, first: nil)])
        #expect(counts { $0.oversized = 2 } == [.oversized(count: 2, first: nil)])
        #expect(counts { $0.duplicates = 2 } == [.duplicates(count: 2)])
        #expect(counts { $0.filtered = 2 } == [.filtered(count: 2)])
        #expect(counts { $0.ignored = 2 } == [.ignored(count: 2)])
    }

    /// Whatever a function's own code may have written is said with its name, and what to change in it.
    @Test(arguments: [
        (Discarded(unlabelled: 1), "1 entry of scan is ignored", "1 without the SDK's label."),
        (Discarded(otherMessage: 2), "2 entries of scan are ignored", "2 without the SDK's message."),
        (Discarded(repeated: 335), "335 entries of scan are ignored", "335 not the first of their requests."),
        (Discarded(unlabelled: 1, repeated: 1), "2 entries of scan", "SDK's label, 1 not the first of its request."),
    ])
    func entriesOfTheFunctionsOwnCode(discarded: Discarded, count: String, kinds: String) {
        let function = plain(name: "scan").changed { $0.tally.discard(discarded) }
        let found = notes([function, plain(name: "other")]) { $0.ignored = discarded.total + 3 }
        #expect(found == [.ignored(count: 3), .discarded(discarded, functions: ["\(name: "scan")"])])
        let text = found.last?.wording.text(ascii: true) ?? ""
        #expect(text.hasPrefix(count) && text.contains(kinds) && text.contains("{ data: req.data }"), "\(text)")
    }

    @Test func timesThatAreMissingOrTooLate() {
        var function = plain()
        function = function.changed { $0.tally.add(Requests(app: .valid, count: 3), on: nil) }
        #expect(notes([function]) == [.undated(count: 3)])

        function = plain()
        let asOf = Instant(day: Sample.firstDay.advanced(by: 6), nanosecondOfDay: 5)
        #expect(notes([function], asOf: asOf) == [.afterAsOf(count: 20, asOf: asOf.day)])

        var many = FunctionTally()
        for number in 0..<FunctionTally.dayLimit + 3 {
            many.add(.sample(app: .valid, at: Instant(day: Day(number: Int32(number)), nanosecondOfDay: 0)))
        }
        let pooled = FunctionSummary(identity: plain().identity, name: "f", tally: many)
        #expect(notes([pooled]) { $0.undated = 0 } == [.daysPooled(count: 3)])
    }

    @Test func statusesThatTheSDKDoesNotWrite() {
        for (app, auth) in [(TokenStatus.other, TokenStatus.valid), (.valid, .other), (.other, .other)] {
            var function = plain()
            function = function.changed { $0.tally.add(Requests(app: app, auth: auth, count: 4), on: Sample.firstDay) }
            #expect(notes([plain(name: "g"), function]) == [.otherStatuses(count: 4, functions: ["\(name: "f")"])])
        }
    }

    /// `gcloud logging read` reads one day; 25 hours is the last span that is still taken for it.
    @Test(arguments: [(25 * 3600, true), (25 * 3600 + 1, false), (0, true)])
    func shortSpans(seconds: Int64, isShort: Bool) {
        let first = Sample.instant("2026-10-01T10:00:00Z")
        var tally = FunctionTally()
        for instant in [first, first.adding(seconds: seconds)] { tally.add(.sample(app: .valid, at: instant)) }
        let function = FunctionSummary(identity: plain().identity, name: "f", tally: tally)
        let note = Note.shortSpan(first: first, last: first.adding(seconds: seconds))
        #expect(notes([function]).contains(note) == isShort)
        // Whoever asked for a time range knows that the span is short.
        #expect(notes([function]) { $0.filtered = 1 } == [.filtered(count: 1)])
    }

    @Test func daysWithoutDataBetweenOthers() {
        let gappy = Sample.function("f", generation: .first) { day in
            [3, 4, 9].contains(day) ? [] : [Requests(app: .valid, count: 1)]
        }
        let gaps = [
            Sample.day("2026-10-04")...Sample.day("2026-10-05"), Sample.day("2026-10-10")...Sample.day("2026-10-10"),
        ]
        #expect(notes([gappy]) == [.gaps(project: "demo-prod", gaps: gaps)])
        // Another function of the project that is called on those days shows that the export has no hole.
        #expect(notes([gappy, plain(days: 14, name: "g")]) == [])

        // So does one that was not selected: its days are known from the project.
        var summary = Sample.summary([gappy])
        summary.projects = Sample.projects(of: [gappy, plain(days: 14, name: "g")])
        #expect(summary.notes == [])
    }

    @Test func streamsThatWereNotExported() {
        let onlyFailed = Sample.function("f", generation: .second) { _ in [Requests(app: .invalid, count: 2)] }
        #expect(notes([onlyFailed]) == [.passesNotSeen(functions: ["\(name: "f")"])])

        let onlyPassed = Sample.function("f", generation: .second) { _ in [Requests(app: .valid, count: 2)] }
        #expect(notes([onlyPassed]) == [.failuresNotSeen(project: "demo-prod")])
        #expect(notes([onlyPassed, plain(name: "g", generation: .second)]) == [])
        // A generation 1 function has one log only, and its failures say nothing of generation 2.
        let onlyPassedFirst = Sample.function("h", generation: .first) { _ in [Requests(app: .valid, count: 2)] }
        #expect(notes([onlyPassedFirst]) == [])
        #expect(notes([onlyPassed, plain(name: "g")]) == [.failuresNotSeen(project: "demo-prod")])

        var summary = Sample.summary([onlyPassed])
        summary.projects = Sample.projects(of: [onlyPassed])
        #expect(summary.notes == [.failuresNotSeen(project: "demo-prod")])
        var project = ProjectTally()
        project.addErrorStream(day: nil)
        summary.projects = Sample.projects(of: [onlyPassed], and: project)
        #expect(summary.notes == [])
    }

    @Test func passesAtInfoOnly() {
        let old = Sample.function("f", generation: .first, severity: .info) { _ in [Requests(app: .valid, count: 2)] }
        #expect(notes([old]) == [.passesAtInfo(functions: ["\(name: "f")"])])
        var both = old
        both = both.changed { $0.tally.add(Requests(app: .valid, count: 1), on: Sample.firstDay) }
        #expect(notes([both]) == [])
    }

    @Test func namesThatStandForMany() {
        #expect(notes([plain(), plain(name: "-")]) == [.unnamed(count: 90)])
    }

    @Test func whatNobodyCalls() {
        var silent = FunctionSummary(identity: plain(name: "g").identity, name: "g", tally: FunctionTally())
        silent = silent.changed { $0.listing = .deployed(.callable) }
        #expect(notes([plain(), silent]) == [.notCalled(functions: ["\(name: "g")"])])
        silent = silent.changed { $0.listing = .unmatched(suggestion: nil) }
        #expect(notes([plain(), silent]) == [])
    }

    /// Named, and nothing is known of where: what `firebase functions:log` prints.
    @Test func whatDoesNotSayWhere() {
        let nowhere = FunctionIdentity(project: "-", region: "-", name: "f", generation: nil)
        var lost = plain()
        lost = lost.changed { $0.identity = nowhere }
        #expect(notes([lost]) == [.unplaced(count: 90)])
        lost = lost.changed {
            $0.identity = FunctionIdentity(project: "-", region: "us-central1", name: "f", generation: nil)
        }
        #expect(notes([lost]) == [])
    }

    @Test func problemsAreNamedWithTheirPlace() {
        let text = Story.troubled.notes.map { $0.wording.text(ascii: true) }.joined(separator: "\n")
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
