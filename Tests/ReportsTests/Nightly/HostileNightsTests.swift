import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// What a name out of a log may not do to the morning page.
@Suite struct HostileNightsTests {
    /// A report in which the name stands wherever one can.
    private func report(_ name: String) -> NightlyReport {
        let identity = FunctionIdentity(project: name, region: name, name: name, generation: .second)
        let function = ChangedFunction(identity: identity, name: name)
        let verdict = VerdictChange(
            function: function, before: .enforce, now: .superseded, reason: .settled(.superseded(by: identity)),
            rate: nil)
        return NightlyReport(
            summary: HostileNamesTests.summary(name), comparedTo: Sample.firstDay,
            changes: [
                .lockout(Change.Lockout(function: function, state: .began, blocked: 1, admitted: 2)),
                .missingExport(
                    MissingExport(project: name, kind: .days([Sample.firstDay]), verdicts: [verdict])),
                .missingExport(MissingExport(project: name, kind: .passes, verdicts: [verdict])),
                .verdict(verdict),
                .silent(Change.Silence(function: function, last: Sample.firstDay, perDay: 3, verdict: verdict)),
                .appeared(
                    Change.Appearance(
                        function: function, silentSince: nil, first: Sample.firstDay, verifications: 1,
                        verdict: .insufficient)),
            ])
    }

    @Test(arguments: HostileNamesTests.names)
    func everyFormatIsInert(name: String) {
        let formats: [Format] = [
            .terminal(TerminalStyle(columns: 80)), .terminal(TerminalStyle(columns: 160)),
            .terminal(TerminalStyle(columns: 80, unicode: false)), .markdown(isFolding: true), .json, .prometheus,
        ]
        for format in formats {
            let text = Report.morning(report(name)).text(format)
            #expect(text.unicodeScalars.allSatisfy { $0.isInert || $0 == "\n" })
            for line in text.unicodeScalars.split(separator: "\n") { #expect(line.first?.isCombining == false) }
        }
    }

    @Test(arguments: HostileNamesTests.names)
    func markdownHasNoMarkup(name: String) {
        let text = Report.morning(report(name)).text(.markdown(isFolding: true))
        let lines = text.unicodeScalars.split(separator: "\n").map { String($0) }
        let table = lines.filter { $0.hasPrefix("| ") }
        #expect(table.count == 4)
        #expect(Set(table.map(cellCount)).count == 1)
        let tags: Set<String> = ["<details><summary>2 functions</summary>", "</details>"]
        for line in lines where !tags.contains(line) { #expect(hasNoMarkupOutsideCode(line), "\(line)") }
    }

    @Test(arguments: HostileNamesTests.names)
    func jsonAndCSVReadBack(name: String) throws {
        let json = try OrderedJSON(Report.morning(report(name)).text(.json))
        let changes = try #require(json["changes"]).elements
        #expect(changes.count == 6)
        for change in changes {
            guard case .string(let project)? = change["project"] else { throw Unread() }
            #expect(project.unicodeScalars.elementsEqual(name.unicodeScalars))
        }
        let rows = csvRows(Report.morning(report(name)).text(.csv))
        #expect(rows.count == 3)
        #expect(Set(rows.map(\.count)).count == 1)
    }

    /// Every line is a comment or one sample, whose label values end where they should.
    @Test(arguments: HostileNamesTests.names)
    func metricsReadBack(name: String) throws {
        let sample =
            #/[a-z_0-9]+(\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"(,[a-z]+="(?:[^"\\\n]|\\[\\"n])*")*\})? -?[0-9.e+-]+/#
        var seen: Set<String> = []
        for line in Report.morning(report(name)).text(.prometheus).unicodeScalars.split(separator: "\n").map({
            String($0)
        }) {
            if line.hasPrefix("# HELP ") || line.hasPrefix("# TYPE ") { continue }
            #expect(line.wholeMatch(of: sample.matchingSemantics(.unicodeScalar)) != nil, "\(line)")
            #expect(seen.insert(String(line.prefix { $0 != " " })).inserted || name.unicodeScalars.contains(" "))
        }
    }

    private struct Unread: Error {}
}
