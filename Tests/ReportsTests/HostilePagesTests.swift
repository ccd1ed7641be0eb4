import Readiness
import Testing
import Verifications

@testable import Reports

/// What a name out of a log may not do to the pages of `check` and `explain`.
@Suite struct HostilePagesTests {
    private static let styles = [
        TerminalStyle(columns: 80), TerminalStyle(columns: 160), TerminalStyle(columns: 80, unicode: false),
    ]

    /// Those of `check` and `explain`.
    private func reports(_ name: String) -> [Report] {
        let summary = HostileNamesTests.summary(name)
        return [
            Report.check(GateCheck(Gate(failOn: .unsure), policyFile: name), on: summary),
            Report.explanation(Sample.explanation(name, in: summary), policyFile: name),
        ]
    }

    @Test(arguments: HostileNamesTests.names)
    func textIsInert(name: String) {
        for style in HostilePagesTests.styles {
            for report in reports(name) {
                let text = report.text(.terminal(style))
                #expect(text.unicodeScalars.allSatisfy { $0.isInert || $0 == "\n" })
                for line in text.unicodeScalars.split(separator: "\n") {
                    #expect(line.first?.isCombining == false)
                }
            }
        }
    }

    @Test(arguments: HostileNamesTests.names)
    func markdownHasNoMarkup(name: String) throws {
        let pages = reports(name).map { $0.text(.markdown) }
        let check = try #require(pages.first)
        let table = check.unicodeScalars.split(separator: "\n").map { String($0) }.filter { $0.hasPrefix("| ") }
        #expect(table.count == 4)
        #expect(Set(table.map(cellCount)).count == 1)
        for text in pages {
            #expect(text.unicodeScalars.allSatisfy { $0.isInert || $0 == "\n" })
            var isFenced = false
            for line in text.unicodeScalars.split(separator: "\n").map({ String($0) }) {
                if line.hasPrefix("```") {
                    isFenced.toggle()
                } else if isFenced {
                    #expect(!line.contains("`"))
                } else {
                    #expect(hasNoMarkupOutsideCode(line), "\(line)")
                }
            }
            #expect(!isFenced)
        }
    }

    /// Commands are copied into a shell: what does not look like a name is not put into one.
    @Test(arguments: HostileNamesTests.names)
    func commandsHoldNoHostileName(name: String) {
        let identity = FunctionIdentity(project: name, region: "r", name: name, generation: .second)
        let commands = CloudCommand(identity)
        let day = Sample.firstDay
        let all = [
            commands.export(VerdictPolicy()), commands.export(of: day...day), commands.passes, commands.refusals,
            commands.clients, commands.unauthorized,
        ]
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "-_:.".utf8.contains(byte)
        }
        for lines in all {
            let text = lines.joined(separator: "\n")
            // Quotes open and close: the filter, and in some commands the format.
            #expect(text.utf8.count { $0 == UInt8(ascii: "'") }.isMultiple(of: 2))
            if !isPlain { #expect(text.contains(#/--project[= ]PROJECT\b/#)) }
            if !isPlain { #expect(!text.contains("service_name")) }
        }
        let function = FunctionSummary(identity: identity, name: name, table: CellTable())
        let code = EnforcementCode(function)
        let scalars = (code.listings.flatMap(\.lines) + [function.deployment]).joined().unicodeScalars
        #expect(scalars.allSatisfy { (0x20...0x7e).contains($0.value) })
        #expect(function.deployment.contains(":NAME") || name.utf8.allSatisfy { $0 != UInt8(ascii: "`") })
    }
}
