import Readiness
import Testing
import Verifications

@testable import Reports

@Suite struct TableReportTests {
    /// No line is wider than the terminal, but one with a command, which has to stay in one piece.
    @Test(arguments: [72, 80, 100, 120, 160, 200], [true, false])
    func linesFitTheTerminal(columns: Int, unicode: Bool) {
        for summary in [Story.judged, Story.troubled, Story.empty] {
            let text = Report.summary(summary).text(.terminal(TerminalStyle(columns: columns, unicode: unicode)))
            for line in text.split(separator: "\n") where !line.contains("gcloud") {
                #expect(displayWidth(of: String(line)) <= columns, "\(line)")
            }
            #expect(text.hasSuffix("\n") && !text.contains(" \n"))
        }
    }

    /// Where the answer has scrolled away, it is the last line as well.
    @Test(arguments: [(10, true), (80, false)])
    func theAnswerIsRepeated(rows: Int, isRepeated: Bool) {
        let text = Report.summary(Story.judged).text(.terminal(TerminalStyle(columns: 100, rows: rows)))
        let lines = text.split(separator: "\n")
        #expect((lines.first == lines.last) == isRepeated)
        // All lines of it.
        let narrow = Report.summary(Sample.lockedOut("signUp")).text(.terminal(TerminalStyle(columns: 50, rows: rows)))
        let answer = narrow.split(separator: "\n").prefix(2).map(String.init)
        #expect(answer[0].hasPrefix("✗ signUp refuses signed-in users:") && answer[1].hasPrefix("  "))
        #expect((narrow.split(separator: "\n").suffix(2).map(String.init) == answer) == isRepeated, "\(narrow)")
    }

    @Test func longGroupsAreCut() throws {
        let summary = Sample.summary(Sample.project(functions: 300, days: 20))
        let text = Report.summary(summary).text(.terminal(TerminalStyle(columns: 100)))
        #expect(text.contains(" more: --limit all"))
        #expect(text.split(separator: "\n").count < 90)
        var view = TableView()
        view.limit = nil
        let all = Report.summary(summary, view).text(.terminal(TerminalStyle(columns: 100)))
        let cut = summary.functions.map(\.name).filter { !all.contains(" \($0) ") }
        #expect(cut == [])
    }

    /// A client with nothing but bad Auth tokens is not shown as valid alone.
    @Test func countsShowRefusedSignIns() throws {
        let function = Sample.function("f", generation: .first) { _ in
            [Requests(app: .valid, auth: .invalid, count: 7)]
        }
        var view = TableView()
        view.isVerbose = true
        let text = Report.summary(Sample.judged(Sample.summary([function])), view).text(.terminal(TerminalStyle()))
        let head = try #require(text.split(separator: "\n").first { $0.contains("bad auth token") })
        #expect(head.contains("VALID") && !head.contains("OTHER"))
        #expect(Report.summary(Story.troubled, view).text(.terminal(TerminalStyle(columns: 120))).contains("OTHER"))
    }

    @Test func colorOnlyWhereItIsAskedForAndNothingElseChanges() throws {
        let plain = Report.summary(Story.judged).text(.terminal(TerminalStyle(columns: 120)))
        let colored = Report.summary(Story.judged).text(.terminal(TerminalStyle(columns: 120, color: true)))
        #expect(!plain.contains("\u{1b}"))
        #expect(colored.contains("\u{1b}[31m") && !colored.contains("\u{1b}[36m"))
        #expect(colored.replacing(try Regex("\u{1b}\\[[0-9]*m"), with: "") == plain)
    }

    /// One name in several places: no row is without its place, however narrow the terminal and long the names.
    @Test(
        arguments: [80, 100, 120, 200],
        ["shop-dev shop-prod", "a-company-called-shop-dev-1a2b a-company-called-shop-dev-3c4d"])
    func everyNameKeepsItsPlace(columns: Int, projects: String) {
        let regions = ["northamerica-northeast1", "us-central1"]
        var functions: [FunctionSummary] = []
        for project in projects.split(separator: " ") {
            for (index, region) in regions.enumerated() {
                functions.append(
                    Sample.function("createOrder", project: String(project), region: region, generation: .first) { _ in
                        [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90 * index)]
                    })
            }
        }
        let text = Report.summary(Sample.judged(Sample.summary(functions))).text(
            .terminal(TerminalStyle(columns: columns)))
        let lines = text.split(separator: "\n")
        // Commands to copy stay on one line.
        #expect(lines.allSatisfy { displayWidth(of: String($0)) <= columns || $0.contains("callcheck explain ") })
        // The project is above its rows.
        var (project, places) = (Substring(), Set<String>())
        for line in lines {
            if projects.split(separator: " ").contains(line) { project = line }
            for region in regions where "✓✗".contains(line.first ?? " ") && line.contains(" \(region) ") {
                places.insert("\(project) \(region)")
            }
        }
        #expect(places.count == 4 && !places.contains { $0.hasPrefix(" ") }, "\(text)")
    }

    /// The steps of the marks, from both sides.
    @Test(
        arguments: [
            (0, "▁"), (1, "▂"), (100, "▂"), (101, "▃"), (200, "▃"), (201, "▄"), (500, "▄"), (501, "▅"), (1000, "▅"),
            (1001, "▆"), (2500, "▆"), (2501, "▇"), (5000, "▇"), (5001, "█"), (10_000, "█"),
        ])
    func marks(blocked: Int, mark: String) {
        var table = CellTable()
        table.add(Requests(app: .missing, count: blocked), on: Sample.firstDay)
        table.add(Requests(app: .valid, count: 10_000 - blocked), on: Sample.firstDay)
        // Refused for their Auth token, regardless of App Check: they do not count here.
        table.add(Requests(app: .invalid, auth: .invalid, count: 5000), on: Sample.firstDay)
        let sparkline = Sparkline(days: Sample.firstDay...Sample.firstDay)
        let marks = sparkline.marks(
            table.days(), .notRefused, limit: 0.01, glyphs: Sparkline.glyphs(unicode: true))
        #expect(marks == StyledText(mark, blocked > 100 ? .bad : .plain))
    }

    /// A forged timestamp far away must not stretch the marks of all other days to nothing.
    @Test func outliersDoNotStretchTheSparkline() {
        var functions = Sample.project(functions: 1)
        functions[0] = functions[0].changed {
            $0.table.add(Requests(app: .valid, count: 1), on: Sample.day("1970-01-01"))
        }
        functions[0] = functions[0].changed {
            $0.table.add(Requests(app: .valid, count: 1), on: Sample.day("9999-12-31"))
        }
        let asOf = Sample.instant("2026-10-14T12:00:00Z")
        let text = Report.summary(Sample.summary(functions, asOf: asOf)).text(.terminal(TerminalStyle(columns: 200)))
        #expect(text.contains("28 days") && text.contains("              ▁▁▁▁▁▁▁▁▁▁▁▁▁▁"))
    }
}
