import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// Names that Unicode calls equivalent are different names, as their bytes are.
@Suite struct SpellingTests {
    static let composed = "caf\u{E9}"
    static let decomposed = "cafe\u{301}"
    static let spellings = [composed, decomposed]

    private static func line(_ index: Int, project: String, name: String) -> String {
        EntryText.first(name, app: index.isMultiple(of: 3) ? "MISSING" : "VALID", id: "\(index)", project: project).text
    }

    /// Every project with every name, three times.
    private static var lines: [String] {
        let places = spellings.flatMap { project in spellings.map { (project, $0) } }
        return (places + places + places).enumerated().map { line($0, project: $1.0, name: $1.1) }
    }

    @Test(arguments: [1, 2, 4])
    func functionsAndProjectsStayApart(jobs: Int) throws {
        let lines = SpellingTests.lines
        let reference = try Files([lines.joined(separator: "\n")]).run()
        #expect(reference.tally.functions.values.map(\.totals.total) == [3, 3, 3, 3])
        for parts in [lines, lines.reversed()] {
            let result = try Files(parts).run(jobs: jobs)
            #expect(result.tally == reference.tally)
        }
    }

    /// The order of functions is that of bytes; `String` would say that neither comes first.
    @Test(arguments: [false, true])
    func functionsAreSortedByBytes(isReversed: Bool) throws {
        let lines = SpellingTests.lines + [SpellingTests.line(99, project: "cafz", name: "cafz")]
        let result = try Files(isReversed ? lines.reversed() : lines).run()
        let evaluator = Evaluator(tally: result.tally, rules: PolicyRules(), asOf: nil, inventory: [])
        let summary = Summary(evaluator: evaluator, input: result.input, selection: Selection())
        let places = summary.functions.map { [Array($0.identity.project.utf8), Array($0.name.utf8)] }
        let (first, second, last) = (
            Array(SpellingTests.decomposed.utf8), Array(SpellingTests.composed.utf8), Array("cafz".utf8)
        )
        #expect(places == [[first, first], [first, second], [last, last], [second, first], [second, second]])
    }

    /// If a service has two labels, the smaller one is shown, whichever comes first.
    @Test(arguments: [false, true])
    func labelsOfOneService(isReversed: Bool) throws {
        let lines = SpellingTests.spellings.enumerated().map { index, label in
            EntryText.second("service", id: "\(index)", label: label).text
        }
        for files in [1, 2] {
            let ordered = isReversed ? lines.reversed() : lines
            let texts = files == 1 ? [ordered.joined(separator: "\n")] : ordered
            let tally = try Files(texts).run(jobs: files).tally
            let label = try #require(tally.functions.values.first?.label)
            #expect(Array(label.text.utf8) == Array(SpellingTests.decomposed.utf8))
        }
    }

    /// A generation 2 function supersedes only the function with the same spelling.
    @Test func successors() throws {
        let first = EntryText.first(SpellingTests.composed, id: "1", time: "2026-10-01T12:00:00Z").text
        for (service, isSuperseded) in [(SpellingTests.composed, true), (SpellingTests.decomposed, false)] {
            let second = EntryText.second(service, id: "2", label: nil)
                .with(
                    "resource",
                    """
                    {"type":"cloud_run_revision","labels":{"service_name":"\(service)","project_id":"demo",\
                    "location":"us-central1"}}
                    """
                ).text
            let tally = try Files([first, second]).run().tally
            let evaluator = Evaluator(tally: tally, rules: PolicyRules(), asOf: nil, inventory: [])
            let verdicts = tally.functions.keys.map { evaluator.assess($0).verdict }
            #expect(verdicts.contains(.superseded) == isSuperseded)
        }
    }

    @Test func patterns() {
        for pattern in SpellingTests.spellings {
            for name in SpellingTests.spellings {
                let isSame = Array(pattern.utf8) == Array(name.utf8)
                #expect(Glob(pattern).matches(name) == isSame)
                #expect((Glob(pattern) == Glob(name)) == isSame)
                #expect((ExactName(pattern) == ExactName(name)) == isSame)
                #expect(Set([ExactName(pattern), ExactName(name)]).count == (isSame ? 1 : 2))
            }
        }
        // A mark behind an underscore does not hide it.
        #expect(Glob("a-\u{301}b").matches("a_\u{301}b"))
    }
}
