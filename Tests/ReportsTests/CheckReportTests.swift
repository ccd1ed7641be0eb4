import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// The pages of `check`.
@Suite struct CheckReportTests {
    private func text(
        _ summary: Summary, _ failOn: Gate.FailOn = .unsure, isStrict: Bool = false, policyFile: String? = nil,
        style: TerminalStyle = TerminalStyle(columns: 120), isVerbose: Bool = true
    ) -> String {
        let check = GateCheck(Gate(failOn: failOn), isStrict: isStrict, policyFile: policyFile)
        var view = TableView()
        (view.isVerbose, view.limit) = (isVerbose, 20)
        return Report.check(check, on: summary, view).text(.terminal(style))
    }

    private func comment(_ summary: Summary, policyFile: String? = nil) -> String {
        Report.check(GateCheck(Gate(failOn: .unsure), policyFile: policyFile), on: summary)
            .text(.markdown)
    }

    @Test func pages() {
        expectGolden(text(Story.judged, style: TerminalStyle(columns: 80), isVerbose: false), "check-80.txt")
        expectGolden(text(Story.judged, policyFile: "policy.yaml"), "check-120.txt")
        expectGolden(text(Story.judged, style: TerminalStyle(columns: 100, unicode: false)), "check-ascii.txt")
        expectGolden(text(Story.judged, style: TerminalStyle(columns: 120, color: true)), "check-color.txt")
        expectGolden(text(Story.troubled, .notSafe, isVerbose: false), "check-troubled.txt")
        expectGolden(
            comment(Story.judged, policyFile: "policy.yaml"),
            "check.md")
    }

    @Test(arguments: [80, 100, 120, 200], [true, false])
    func linesFitTheTerminal(columns: Int, unicode: Bool) {
        for summary in [Story.judged, Story.troubled, Story.empty, Story.oneFunction] {
            let text = text(summary, style: TerminalStyle(columns: columns, unicode: unicode))
            for line in text.split(separator: "\n") where !line.contains("gcloud") {
                #expect(displayWidth(of: String(line)) <= columns, "\(line)")
            }
            #expect(text.hasSuffix("\n") && !text.contains(" \n"))
            #expect(unicode || text.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    /// A status in a pipeline is short; what a pass does not show is named all the same.
    @Test(arguments: [Gate.FailOn.unsure, .notSafe, .lockout])
    func theShortAnswerIsShort(failOn: Gate.FailOn) {
        var view = TableView()
        view.isBrief = true
        func line(_ summary: Summary) -> String {
            Report.check(GateCheck(Gate(failOn: failOn)), on: summary, view).text(.terminal(TerminalStyle()))
        }
        for judged in [Story.judged] + Story.judged.functions.map({ Story.judged($0.name) }) {
            let text = line(judged)
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 200 }, "\(text)")
            #expect(!text.contains("can be enforced") || text.contains("does not show all clients"), "\(text)")
        }
        // What has no room is left out from the end.
        let long = Sample.lockedOut("sendNotifications" + String(repeating: "ToEveryMember", count: 5))
        let short = line(long)
        #expect(short.count <= 200 && short.contains("refuses signed-in users: 630 of 6,930"), "\(short)")
    }

    /// Functions of the story, and what can be wrong with an input.
    private func situations() -> [(what: String, summary: Summary)] {
        func changed(_ names: String..., change: (inout Summary) -> Void) -> Summary {
            var summary = Story.judged
            summary.functions = summary.functions.filter { names.contains($0.name) }
            change(&summary)
            return summary
        }
        func unmatched(_ function: FunctionSummary) -> FunctionSummary {
            function.changed { ($0.name, $0.listing) = ("addMesage", .unmatched(suggestion: "addMessage")) }
        }
        // What enforcement refuses may be too little for a lock-out.
        var rules = PolicyRules()
        rules.entries = [PolicyEntry(match: Glob("f"), line: 1)]
        rules.entries[0].settings.enforced = .instant(Sample.instant("2026-10-02T00:00:00Z"))
        let few = Sample.function("f") { _ in [Requests(app: .valid, count: 9000), Requests(app: .missing, count: 1)] }
        let stories = [
            ["addMessage"], ["addMessage", "deletePushToken"], ["addMessage", "addPushToken", "getAccount"],
            ["addMessage", "signUp"], ["signUp", "scanReceipt", "exportAll"], ["signUp"], ["addMessage", "exportAll"],
            ["getAccount", "signUp"], [],
        ].map { names in
            var summary = Story.judged
            summary.functions = summary.functions.filter { names.contains($0.name) }
            return (names.isEmpty ? "nothing" : names.joined(separator: ", "), summary)
        }
        return stories + [
            ("few are refused", Sample.judged(Sample.summary([few]), rules: rules)),
            ("a lock-out", Sample.lockedOut("signUp")),
            ("a mistyped name", changed("addMessage") { $0.functions = $0.functions.map(unmatched) }),
            (
                "a mistyped name beside another",
                changed("addMessage") { $0.functions.append(unmatched(Story.judged("exportAll").functions[0])) }
            ),
            (
                "a few unread",
                changed("addMessage") {
                    $0.input.malformed = 1
                    $0.input.unread.add(1)
                }
            ),
            ("any number unread", changed("addMessage") { $0.input.unread.add(nil) }),
            ("damaged", changed("addMessage") { $0.input.faults = .damaged }),
            ("damaged, not safe", changed("signUp") { $0.input.faults = .damaged }),
            ("doubtful", doubtful),
        ]
    }

    private var doubtful: Summary {
        var summary = Story.judged("addMessage")
        summary.policy.assumeComplete = .everything
        summary.input.malformed = 3
        summary.input.unread.add(2800)
        summary.input.problems.append(
            Problem(
                source: "a.json.gz", kind: .truncatedGzip, byteOffset: 812, record: nil, detail: "the stream is cut"))
        return summary
    }

    /// What each gate says of each, also where all input must have been read.
    @Test func conclusions() {
        var text = ""
        for (what, summary) in situations() {
            text += "# \(what)\n"
            for (failOn, isStrict) in [
                (Gate.FailOn.unsure, false), (.notSafe, false), (.lockout, false), (.unsure, true),
            ] {
                let check = GateCheck(Gate(failOn: failOn), isStrict: isStrict)
                let said = GateStatements(check, of: summary).all.joined.text(ascii: true)
                text += "\(isStrict ? "strict" : failOn.rawValue): \(check.tone(summary).mark(unicode: true)) \(said)\n"
            }
            text += "\n"
        }
        expectGolden(text, "conclusions.txt")
    }

    /// Every format for people says what makes a pass doubtful, and every gate names a lock-out and the way back.
    @Test func nothingHides() {
        for page in [text(doubtful), comment(doubtful)] {
            #expect(page.contains("--set assume-complete=true"))
            #expect(page.contains("3 records show the SDK's label but are not valid JSON"))
            #expect(page.contains("truncated-gzip"))
        }
        for failOn in [Gate.FailOn.unsure, .notSafe] {
            let shown = text(Sample.lockedOut("signUp"), failOn)
            #expect(shown.contains("\nREFUSING USERS  ") && shown.contains("\n✗ signUp  "))
            #expect(shown.split(separator: "firebase deploy --only functions:signUp --project demo-prod").count == 2)
        }
    }

    /// Every format reports what was not read, regardless of the answer.
    @Test(arguments: ["addMessage", "signUp"])
    func everyFormatSaysWhatWasNotRead(function: String) {
        var summary = Story.judged(function)
        summary.input.unread.add(2800)
        let check = Report.check(GateCheck(Gate(failOn: .unsure)), on: summary)
        for format in [Format.markdown, .html, .junit, .github] {
            #expect(check.text(format).contains("Up to 2,800 more requests could not be read."), "\(format)")
        }
        #expect(check.text(.json).contains("\"unread\": 2800"))
        #expect(check.text(.prometheus).contains("callcheck_input_unread 2800"))
    }

    @Test func thePageSaysThatTheGateFailed() {
        let check = Report.check(GateCheck(Gate(failOn: .notSafe)), on: Story.judged)
        #expect(check.text(.html).contains("✗</span> Gate failed, as of 14 Oct 2026: 3 of 17 functions are not"))
    }

    // MARK: Pipelines

    private func junit(_ summary: Summary, _ failOn: Gate.FailOn = .unsure) -> String {
        Report.check(GateCheck(Gate(failOn: failOn)), on: summary).text(.junit)
    }

    /// A test case for each function; what fails the gate, and nothing else, is a failure.
    @Test(arguments: [Gate.FailOn.unsure, .notSafe, .lockout])
    func aTestCaseForEachFunction(failOn: Gate.FailOn) {
        let page = junit(Story.judged, failOn)
        let gate = Gate(failOn: failOn)
        let outcomes = Story.judged.functions.map { gate.outcome(of: $0.assessment) }
        let failing: Set<Gate.Outcome> = failOn == .unsure ? [.against, .undecided, .unclear] : [.against, .unclear]
        let failures = outcomes.count { failing.contains($0) }
        #expect(page.ranges(of: "<testcase ").count == outcomes.count)
        #expect(page.ranges(of: "<failure ").count == failures)
        #expect(page.contains("<testsuites tests=\"\(outcomes.count)\" failures=\"\(failures)\" errors=\"0\""))
        #expect((gate.answer(to: Story.judged) == .passed) == (failures == 0))
    }

    /// A gate that does not pass never looks like one that does.
    @Test func aBrokenGateIsAnError() {
        #expect(junit(Story.empty).contains("tests=\"1\" failures=\"0\" errors=\"1\""))
        var summary = Story.judged("addMessage")
        #expect(junit(summary).contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""))
        summary.input.faults = .damaged
        #expect(junit(summary).contains("tests=\"2\" failures=\"0\" errors=\"1\""))
        #expect(Report.check(GateCheck(Gate(failOn: .unsure)), on: summary).text(.github).hasPrefix("::error "))
    }

    /// Whoever reads a test report must see who has let a function pass.
    @Test func aSettingsFileIsNamedInEveryFormat() {
        var summary = Story.judged("addMessage")
        summary.policy.settings = SettingsEffect(
            file: "../callcheck.yml", loosened: [SettingKey[\.maxRefused], SettingKey[\.failOn]], selectsFunctions: true
        )
        let report = Report.check(GateCheck(Gate(failOn: .unsure)), on: summary)
        for format in [Format.markdown, .html, .junit, .github, .prometheus] {
            let text = report.text(format)
            #expect(text.contains("../callcheck.yml") && text.contains("max-refused"), "\(format)")
        }
        let json = report.text(.json)
        #expect(
            json.contains(
                #""settings": {"file": "../callcheck.yml", "loosened": ["maxBlocked", "failOn"], "selection": true}"#))
        #expect(junit(summary).contains("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""))
    }

    /// GitHub shows ten annotations of a kind; names end neither a message nor a property.
    @Test(arguments: ["a:b,c%d", "::error::x", "<b>\"&'"])
    func annotations(name: String) throws {
        var summary = Story.judged("signUp")
        summary.functions = (0..<30).map { number in
            var function = summary.functions[0]
            function = function.changed { $0.name = "\(name)\(number)" }
            return function
        }
        let lines = Report.check(GateCheck(Gate(failOn: .unsure)), on: summary).text(.github).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("::error ") } == 10)
        for line in lines {
            let title = try #require(line.firstMatch(of: #/^::[a-z]+ title=([^:,]*)::/#)).1
            #expect(title.firstMatch(of: #/%(?!25|3A|2C)/#) == nil)
        }
        let page = junit(summary)
        #expect(!page.contains("<b>") && page.ranges(of: "<testcase ").count == 30)
    }

    /// What is refused now comes on top of what fails the gate, and cautions on top of what it cannot tell.
    @Test(arguments: [(Gate.FailOn.notSafe, 30), (.notSafe, 9), (.notSafe, 8), (.unsure, 30)])
    func neverMoreThanTenOfAKind(failOn: Gate.FailOn, count: Int) throws {
        var summary = Sample.lockedOut("locked")
        for kilobytes in 1...20 {
            summary.input.problems.append(
                Problem(
                    source: "a.json.gz", kind: .truncatedGzip, byteOffset: kilobytes << 10, record: nil, detail: "cut"))
        }
        for name in ["signUp", "exportAll"] {
            let function = try #require(Story.judged(name).functions.first)
            summary.functions += (0..<count).map { number in function.changed { $0.name = "\(name)\(number)" } }
        }
        let text = Report.check(GateCheck(Gate(failOn: failOn)), on: summary).text(.github)
        let lines = text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("::error title=App Check locks users out::") == true)
        for kind in ["error", "warning"] {
            #expect(lines.count { $0.hasPrefix("::\(kind) ") } <= 10, "\(kind)")
            let named = lines.count { $0.contains(kind == "error" ? "=signUp" : "=exportAll") }
            let rest = failOn == .unsure ? 0 : count - named
            let shown = lines.filter { $0.hasPrefix("::\(kind) ") && $0.contains("more function") }
            #expect(rest == 0 || shown.map { $0.contains("::and \(rest) more function") } == [true], "\(kind)")
        }
    }
}
