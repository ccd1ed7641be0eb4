import Testing

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

    @Test(arguments: [
        ("a b", "'a b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("$HOME `id`", "'$HOME `id`'"),
        ("a\u{1B}[31m", "URL"), ("a\nb", "URL"), ("a\u{202E}b", "URL"),
    ])
    func wordsOfAShell(text: String, quoted: String) {
        #expect(ShellWord(text, placeholder: "URL").quoted == quoted)
    }

    /// Nobody reads a line of a terminal to its end.
    @Test func linesAreShort() {
        let script = ExportScript(project: .placeholder, days: ExportScript.longestRetention).text
        #expect(script.split(separator: "\n").filter { $0.count > 105 } == [])
        #expect(script.hasSuffix("\n") && !script.contains("\n\n\n"))
    }
}
