import Readiness
import Verifications

@testable import Reports

/// Pages that say different things.
enum PageSample: String, CaseIterable {
    case one, few, many, projects, troubled, empty, nightly, hostile

    /// Those whose names are no markup.
    static let plain: [PageSample] = [.one, .few, .many, .troubled, .nightly]

    var text: String {
        switch self {
        case .nightly: Report.summary(ChangesReportTests.eventful).text(.html)
        default: Report.summary(summary).text(.html)
        }
    }

    /// The page without its style sheet and its script, which are separate files.
    var variableText: String {
        let parts = [ContentPolicy.style, ContentPolicy.script, ContentPolicy.styleHash, ContentPolicy.scriptHash]
        return parts.reduce(text) { $0.replacing($1, with: "…") }
    }

    /// How many functions it shows.
    var functions: Int {
        summary.functions.count
    }

    var summary: Summary {
        switch self {
        case .one: Story.oneFunction
        case .few: PageSample.fewFunctions
        case .nightly: ChangesReportTests.eventful
        case .many: Story.judged
        case .projects: PageSample.twoProjects
        case .troubled: Story.troubled
        case .empty: Story.empty
        case .hostile: PageSample.hostileSummary(PageSample.markup)
        }
    }

    private static let fewFunctions = Story.judged("getAccount", "scanReceipt", "signUp", "exportAll", "rarelyUsed")

    /// The same functions in two projects, with owners; all names are as long as they get.
    private static let twoProjects: Summary = {
        let name = "sendReceiptsToEveryMemberOfTheFamilyAccountOnce"
        let functions = ["customer-facing-production-eu1", "customer-facing-staging-eu1"].flatMap { project in
            (Sample.project(functions: 11) + [Sample.function(name) { _ in [Requests(app: .invalid, count: 90)] }])
                .map { function in
                    function.changed {
                        $0.identity = FunctionIdentity(
                            project: project, region: function.identity.region, name: function.name, generation: .second
                        )
                    }
                }
        }
        var rules = PolicyRules()
        for (pattern, owner) in [("*", "mobile platform team"), ("s*", "payments-and-identity@example.com")] {
            rules.entries.append(PolicyEntry(match: Glob(pattern), SettingValues(\.owner, owner), line: 1))
        }
        return Sample.judged(Sample.summary(functions), rules: rules)
    }()

    /// Names that would be markup, or a template.
    static let markup = [
        "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "</style>", "</title>", "\" onclick=\"x",
        "' onclick='x", "{{x}}", "{{{script}}}", "{{> wording}}", "{{=<% %>=}}", "&lt;b&gt;", "&#60;", "<!--", "]]>",
        "javascript:alert(1)", "\u{338}>", "<svg/onload=alert(1)>",
    ]

    /// A summary in which each name is one of a function, its place, its input and its problem.
    static func hostileSummary(_ names: [String]) -> Summary {
        let function = Sample.function("harmless") { _ in
            [Requests(app: .valid, count: 2), Requests(app: .other, count: 1)]
        }
        var summary = Sample.judged(Sample.summary([function]) { $0.malformed = 1 })
        let judged = summary.functions[0]
        summary.functions = names.map { name in
            judged.changed {
                $0.identity = FunctionIdentity(project: name, region: name, name: name, generation: .second)
                $0.name = name
            }
        }
        for name in names {
            summary.input.problems.append(
                Problem(source: name, kind: .corruptGzip, byteOffset: 1, record: nil, detail: name))
        }
        return summary
    }
}
