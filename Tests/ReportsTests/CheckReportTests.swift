import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// The pages of `check`.
@Suite struct CheckReportTests {
    private let golden = GoldenFiles()
    private static let nothing = """
        Nothing was checked. No request that the SDK logged is among 3,796,635 records, which include generation 2's \
        stderr. Passed requests are written to stdout, which most likely was not exported, or lost its payload. \
        callcheck export prints commands for a complete export.
        """

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

    /// Without the day, which every answer names and one test holds.
    private static func undated(_ text: String) -> String { text.replacing(", as of 14 Oct 2026", with: "") }

    @Test func pages() {
        golden.expect(text(Story.judged, style: TerminalStyle(columns: 80), isVerbose: false), "check-80.txt")
        golden.expect(text(Story.judged, policyFile: "policy.yaml"), "check-120.txt")
        golden.expect(text(Story.judged, style: TerminalStyle(columns: 100, unicode: false)), "check-ascii.txt")
        golden.expect(text(Story.judged, style: TerminalStyle(columns: 120, color: true)), "check-color.txt")
        golden.expect(text(Story.troubled, .notSafe, isVerbose: false), "check-troubled.txt")
        golden.expect(
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

    /// The answer comes first, then what blocks, and every function has one line.
    @Test func gravestFirst() {
        let page = text(Story.judged)
        #expect(page.hasPrefix("✗ Failed, as of 14 Oct 2026: "))
        let headings = page.split(separator: "\n").compactMap { line in
            TableGroup.allCases.map(\.heading).first { line == $0 || line.hasPrefix($0 + "  ") }
        }
        #expect(headings == ["NOT SAFE", "NOT ENOUGH DATA", "READY", "DONE OR EXEMPT"])
        for function in Story.judged.functions {
            let lines = page.split(separator: "\n").filter { $0.dropFirst(2).hasPrefix(function.name + " ") }
            #expect(lines.count >= 1, "\(function.name)")
        }
        // The short answer has those that block, and counts the others.
        let short = text(Story.judged, isVerbose: false)
        #expect(short.hasPrefix("✗ FAILED, as of 14 Oct 2026: 3 of 17 functions block this deployment (exit 1)"))
        #expect(short.contains("without enough data: ") && short.contains("enforced, exempt or replaced"))
    }

    /// What is said beside each pass, as these logs have no request log.
    private static func unseen(_ others: String = "") -> String {
        " The request log does not show all clients: addMessage (none of 119,017)\(others)."
    }

    @Test(
        arguments: [
            (["addMessage"], Gate.FailOn.unsure, "Passed: the function can be enforced.\(unseen())"),
            (
                ["addMessage", "deletePushToken"], .unsure,
                "Passed: all 2 functions can be enforced.\(unseen(" and deletePushToken (none of 23,817)"))"
            ),
            (
                ["addMessage", "addPushToken", "getAccount"], .unsure,
                "Passed: of 3 functions, 1 can be enforced, 1 is exempt and 1 is enforced already.\(unseen())"
            ),
            (
                ["addMessage", "signUp"], .unsure,
                "Failed: 1 of 2 functions is not safe to enforce: signUp.\(unseen())"
            ),
            (
                ["signUp", "scanReceipt", "exportAll"], .unsure,
                "Failed: 2 of 3 functions are not safe to enforce: scanReceipt and signUp. The log is incomplete: it "
                    + "lacks passed requests of 1 of 3 functions: exportAll. Export it without a severity filter."
            ),
            (["signUp"], .unsure, "Failed: 7% of signUp's requests would be refused (limit 1%): signed out."),
            (
                ["addMessage", "exportAll"], .unsure,
                "No answer yet: the log is incomplete: it lacks passed requests of 1 of 2 functions: exportAll. Export it "
                    + "without a severity filter.\(unseen())"
            ),
            (
                ["addMessage", "exportAll"], .notSafe,
                "Passed: no function is known to be unsafe. The log is incomplete: it lacks passed requests of 1 of 2 "
                    + "functions: exportAll. Export it without a severity filter.\(unseen())"
            ),
            (
                ["getAccount", "signUp"], .lockout,
                "Passed: getAccount is enforced and refuses 0 of 29,767 signed-in requests (limit 1%)."
            ),
            (
                ["signUp"], .lockout,
                "Passed: no function is known to be enforced, so there was nothing to check. If one is, write "
                    + "enforced: TIME into the policy."
            ),
            ([], .unsure, CheckReportTests.nothing), ([], .notSafe, CheckReportTests.nothing),
        ])
    func conclusions(names: [String], failOn: Gate.FailOn, conclusion: String) {
        var summary = Story.judged
        summary.functions = summary.functions.filter { names.contains($0.name) }
        let said = CheckReportTests.undated(GateCheck(Gate(failOn: failOn)).conclusion(summary))
        let parts = said.split(separator: " Recent bad days: ").map(String.init)
        #expect(parts.first == conclusion)
        // Bad days of what lacks its passes are no news.
        #expect(parts.count == 1)
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

    /// What enforcement refuses may be too little for a lock-out.
    @Test func fewAreRefused() {
        var rules = PolicyRules()
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings.enforced = .instant(Sample.instant("2026-10-02T00:00:00Z"))
        rules.entries = [entry]
        let function = Sample.function("f") { _ in
            [Requests(app: .valid, count: 9000), Requests(app: .missing, count: 1)]
        }
        let summary = Sample.judged(Sample.summary([function]), rules: rules)
        let conclusion = GateCheck(Gate(failOn: .lockout)).conclusion(summary)
        #expect(conclusion.hasPrefix("Passed, as of 14 Oct 2026: f is enforced and refuses "), "\(conclusion)")
        #expect(conclusion.contains(" signed-in requests (limit 1%)."), "\(conclusion)")
    }

    /// Every gate fails because of a lock-out.
    @Test func lockoutsAreTold() {
        let summary = Sample.lockedOut("signUp")
        let failed = CheckReportTests.undated(text(summary, .lockout).replacing("\n  ", with: " "))
        let sentence = """
            signUp refuses signed-in users: 630 of 6,930 in the last 7 days.
            """
        #expect(failed.hasPrefix("✗ Failed: " + sentence))
        for failOn in [Gate.FailOn.unsure, .notSafe] {
            let shown = CheckReportTests.undated(text(summary, failOn))
            #expect(shown.replacing("\n  ", with: " ").hasPrefix("✗ Failed: " + sentence))
            #expect(shown.contains("\nREFUSING USERS  "))
            #expect(shown.contains("\n✗ signUp  "))
            #expect(shown.split(separator: "firebase deploy --only functions:signUp --project demo-prod").count == 2)
        }
    }

    @Test func aMistypedNameIsNotAPass() {
        var summary = Story.judged("addMessage")
        var row = summary.functions[0]
        row = row.changed { $0.name = "addMesage" }
        row = row.changed { $0.listing = .unmatched(suggestion: "addMessage") }
        summary.functions = [row]
        #expect(text(summary, .notSafe).contains("Did you mean addMessage?"))
        #expect(text(summary, .notSafe).contains("Nothing was checked: the log has no function called addMesage."))
    }

    /// Every format for people says what makes a pass doubtful.
    @Test func caveatsNeverHide() {
        var summary = Story.judged("addMessage")
        summary.policy.assumeComplete = .everything
        summary.input.malformed = 3
        summary.input.unread.add(2800)
        summary.input.problems.append(
            Problem(
                source: "a.json.gz", kind: .truncatedGzip, byteOffset: 812, record: nil, detail: "the stream is cut"))
        let markdown = comment(summary)
        let conclusion = GateCheck(Gate(failOn: .unsure)).conclusion(summary)
        #expect(
            CheckReportTests.undated(conclusion) == """
                Passed: the function can be enforced. This is based on --set assume-complete=true. Up to 2,800 more requests \
                could not be read.\(CheckReportTests.unseen())
                """)
        for page in [text(summary), markdown] {
            #expect(page.contains("--set assume-complete=true"))
            #expect(page.contains("3 records show the SDK's label but are not valid JSON"))
            #expect(page.contains("truncated-gzip"))
        }
    }

    /// Where the input could not be read in full, nothing it shows is a pass.
    @Test func whatWasNotReadIsNoPass() {
        var summary = Story.judged("addMessage")
        func conclusion(isStrict: Bool = false) -> String {
            let check = GateCheck(Gate(failOn: .unsure), isStrict: isStrict)
            return check.tone(summary).mark(unicode: true) + " "
                + CheckReportTests.undated(check.conclusion(summary))
        }
        summary.input.malformed = 1
        summary.input.unread.add(1)
        #expect(
            conclusion() == """
                ✓ Passed: the function can be enforced. Up to 1 more request could not be read.\(CheckReportTests.unseen())
                """)
        let notPassed = """
            ? Not passed, as not all input could be read. On the readable data: the function can be \
            enforced.
            """
        #expect(conclusion(isStrict: true).hasPrefix(notPassed))
        summary.input.malformed = 0
        #expect(conclusion(isStrict: true).hasPrefix(notPassed))
        summary.input.unread.add(nil)
        #expect(
            conclusion() == """
                ✓ Passed: the function can be enforced. A part of the input could not be read, with any number of \
                requests.\(CheckReportTests.unseen())
                """)
        summary.input.unread = UnreadRecords()
        summary.input.faults = .damaged
        #expect(conclusion() == notPassed + CheckReportTests.unseen())
        summary.functions = Story.judged("signUp").functions
        #expect(conclusion().hasPrefix("✗ Failed: 7% of signUp's requests would be refused (limit 1%): signed out."))
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

    /// A name that no function has is no function that could be enforced, and every answer names it.
    @Test func aMistypedNameBesideAnother() {
        var summary = Story.judged("addMessage")
        summary.functions.append(
            Story.judged("exportAll").functions[0].changed {
                ($0.name, $0.listing) = ("addMesage", .unmatched(suggestion: "addMessage"))
            })
        func conclusion(_ failOn: Gate.FailOn) -> String {
            CheckReportTests.undated(GateCheck(Gate(failOn: failOn)).conclusion(summary))
        }
        let missing = "the log has no function called addMesage. Did you mean addMessage?"
        let unseen = CheckReportTests.unseen()
        #expect(conclusion(.unsure) == "No answer yet: \(missing)\(unseen)")
        #expect(conclusion(.notSafe) == "Passed: the function can be enforced. T\(missing.dropFirst())\(unseen)")
        #expect(conclusion(.lockout).hasPrefix("Passed: no function is known to be enforced, so there was nothing"))
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

extension GateCheck {
    fileprivate func conclusion(_ summary: Summary) -> String {
        GateStatements(self, of: summary).all.joined.text(ascii: true)
    }
}
