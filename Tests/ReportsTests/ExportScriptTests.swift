import Foundation
import Readiness
import Testing
import Verifications

@testable import Reports

/// What commands are made of.
///
/// That shells read them as they are meant is shown by running them: `CommandTests`.
@Suite struct ExportScriptTests {
    @Test(arguments: [
        "my-app", "a12345", "a23456789012345678901234567890", "example.com:my-app", "my--app", "a-b.c:app-01",
    ])
    func idsOfProjects(text: String) {
        #expect(ProjectID(text)?.text == text)
    }

    /// Nothing that a shell, a query or a path would act on, and nothing that only looks like an id.
    @Test(arguments: [
        "", "short", "a234567890123456789012345678901", "My-app", "1my-app", "-my-app", "my-app-", "my_app", "my app",
        "my-app\n", "\nmy-app", "my-app;x", "my-app'", "my-app\"", "$(my-app)", "`my-app`", "my-app/..", "a:b:my-app",
        ":my-app", "x y:my-app", "-x.y:my-app", "my-a\u{301}pp", "my-\u{430}pp1", "my-app\0",
    ])
    func whatIsNoID(text: String) {
        #expect(ProjectID(text) == nil)
    }

    /// `gcloud` puts a time in front of a filter with AND and drops it where the filter names one itself; both
    /// generations and every severity must come through.
    @Test func theFilterIsOneConditionWithoutTimeTypeOrSeverity() {
        let filter = LogFilter.complete.joined(separator: "\n")
        #expect(filter.hasPrefix("(") && filter.hasSuffix(")"))
        for word in ["timestamp", "resource.type", "severity", "'"] { #expect(!filter.contains(word)) }
        #expect(LogFilter.complete.dropLast().allSatisfy { $0.hasSuffix(" OR") })
        #expect(filter.contains(LogFilter.label) && filter.contains(LogFilter.errorStream))
    }

    /// Rows of the request log are asked for by the label of firebase-tools, or by the names of services.
    @Test(arguments: [[], ["f"], ["f", "g-2"]])
    func requestsAreAskedFor(services: [String]) {
        let lines = LogFilter.withCallers(services: services)
        let filter = lines.joined(separator: "\n")
        #expect(lines.starts(with: LogFilter.complete.dropLast()))
        for word in ["timestamp", "resource.type", "severity", "'"] { #expect(!filter.contains(word)) }
        #expect(filter.count { $0 == "(" } == filter.count { $0 == ")" })
        #expect(filter.contains(#"labels."deployment-callable"="true""#) == services.isEmpty)
        for service in services { #expect(filter.contains("\"\(service)\"")) }
        #expect(filter.contains(#"httpRequest.requestMethod="POST" AND"#))
    }

    @Test func evidenceCanBeLeftOut() {
        let script = [ExportScript.Part.read, .bigquery, .analytics]
            .map { ExportScript(project: .placeholder, days: 7, asksForCallers: false).text(of: $0) }.joined()
        let usual = ExportScript.Part.allCases.map { ExportScript(project: .placeholder, days: 7).text(of: $0) }
            .joined()
        for word in ["googleapis.com/requests", "com_requests", "http_request", "AppCheck token", "user agents"] {
            #expect(!script.contains(word))
            #expect(usual.contains(word))
        }
    }

    /// What Cloud Run gives a service as its name; anything else in a log would end a filter, or a command.
    @Test(arguments: ["", "F", "1f", "f-", "f_g", "f'", "f\"", "f g", "f\n", "f)", String(repeating: "f", count: 64)])
    func whatIsNoService(name: String) {
        #expect(!ExportScript.isService(name) && ExportScript.isService("a-f1"))
    }

    @Test func theMetricCountsBothGenerations() {
        let script = ExportScript(project: .placeholder, days: 7).text(of: .alert)
        let metric = script.components(separatedBy: "END")[1]
        #expect(metric.contains(LogFilter.label) && !metric.contains("resource.type"))
        #expect(metric.contains("EXTRACT(jsonPayload.verifications.app)") && !metric.contains("appCheck"))
        #expect(script.contains(#"resource.label.service_name="FUNCTION""#))
        #expect(script.contains(#"resource.label.function_name="FUNCTION""#))
        #expect(script.split(separator: "\n").filter { $0.count > 105 } == [])
    }

    @Test(arguments: [
        ("a b", "'a b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("$HOME `id`", "'$HOME `id`'"),
        ("a\u{1B}[31m", "URL"), ("a\nb", "URL"), ("a\u{202E}b", "URL"),
    ])
    func wordsOfAShell(text: String, quoted: String) {
        #expect(ShellWord(text, placeholder: "URL").quoted == quoted)
    }

    /// Nobody reads a line of a terminal to its end.
    @Test(arguments: ExportScript.Part.allCases.filter(\.hasFilter)) func linesAreShort(part: ExportScript.Part) {
        let script = ExportScript(
            project: .placeholder, days: ExportScript.longestRetention,
            services: (0..<40).map { "a-service-\($0)" }
        ).text(of: part)
        #expect(script.split(separator: "\n").filter { $0.count > 105 } == [])
        #expect(script.hasSuffix("\n") && !script.contains("\n\n\n"))
    }

    /// Commands are copied into a shell: what does not look like a name is not put into one.
    @Test(arguments: PageSample.markup + ["'", "a'b", "`id`", "$(id)", "a\nb", "a b", ""])
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
