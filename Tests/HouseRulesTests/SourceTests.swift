import Testing

/// The rules of the house, held against this checkout.
@Suite struct SourceTests {
    private let repository = Repository.this
    private let manifest: Manifest

    init() throws {
        manifest = Manifest(try repository.file("Package.swift").text)
        try #require(manifest.targets.count > 5)
    }

    private var sources: [(target: Manifest.Target, file: Repository.File)] {
        get throws {
            try manifest.targets.filter { $0.path.hasPrefix("Sources/") }.flatMap { target in
                try repository.files(below: target.path, endings: [".swift"]).map { (target, $0) }
            }
        }
    }

    /// All text of ours: code, scripts, pages.
    private var files: [Repository.File] {
        get throws {
            let endings = [".swift", ".c", ".h", ".py", ".sh", ".modulemap"]
            let code = try ["Sources", "Tests"].flatMap { try repository.files(below: $0, endings: endings) }
            return try code + [repository.file("Package.swift")]
        }
    }

    private func expectNone(_ violations: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        let list = Comment(rawValue: violations.joined(separator: "\n"))
        #expect(violations.isEmpty, list, sourceLocation: sourceLocation)
    }

    @Test func importsGoDown() throws {
        let sources = try sources
        try #require(sources.count > 50)
        expectNone(
            sources.flatMap { target, file in
                ImportRules.violations(in: file, of: target.name, declared: target.dependencies)
            })
    }

    /// A code is declared beside the clause that finds it, and nothing but this shows that its words were forgotten.
    @Test func everyFindingHasItsWords() throws {
        func text(_ folder: String) throws -> String {
            try repository.files(below: folder, endings: [".swift"]).map(\.text).joined()
        }
        let declaration = /static let (\w+) = (?:Finding\.Code|caution)\(/
        let codes = try text("Sources/Readiness/Findings").matches(of: declaration).map { String($0.1) }
        let words = try text("Sources/Reports/Statements").matches(of: /\.(\w+)\b/).map { String($0.1) }
        try #require(codes.count > 50)
        expectNone(Set(codes).subtracting(words).sorted())
    }

    /// Whoever reads a code in JSON finds out what it means.
    @Test func everyCodeIsOnAPage() throws {
        let findings = try repository.files(below: "Sources/Readiness", endings: [".swift"]).map(\.text).joined()
        let problems = try repository.file("Sources/Verifications/Problem.swift").text
        let codes =
            findings.matches(of: /(?:Code|caution)\(\s*"([a-z0-9-]+)"/).map { String($0.1) }
            + problems.matches(of: /case \w+ = "([a-z-]+)"/).map { String($0.1) }.filter { $0 != "more" }
        try #require(codes.count > 80)
        let pages = try repository.files(below: "Sources/callcheck/Documentation.docc", endings: [".md"])
        let text = pages.map(\.text).joined()
        expectNone(Set(codes).filter { !text.contains("`\($0)`") }.sorted())
    }

    @Test func systemsAreNamedInOnePlace() throws {
        let files = try files.filter { $0.path.hasSuffix(".swift") && !$0.path.hasPrefix("Sources/Platform/") }
        expectNone(files.flatMap(ImportRules.platformNames))
    }

    @Test func commentsAreNarrow() throws {
        expectNone(try files.filter { $0.path.hasSuffix(".swift") }.flatMap(FileRules.wideComments))
    }

    @Test func filesAreNamedAfterConcepts() throws {
        expectNone(try files.compactMap(FileRules.name))
    }

    /// Whoever opens a file by its name gets the one that was meant.
    @Test func noTwoFilesHaveOneName() throws {
        let names = Dictionary(grouping: try sources.map { $0.file }) { $0.name }
        expectNone(names.values.filter { $0.count > 1 }.map { $0.map(\.path).joined(separator: ", ") })
    }

    @Test func unsafeCodeIsInItsPlace() throws {
        expectNone(try sources.compactMap { FileRules.unsafeWord(in: $1, of: $0.name) })
    }

    @Test func nothingIsLeftForLater() throws {
        let pages = try ["Sources", "Tests", "samples"].flatMap { try repository.files(below: $0, endings: [".md"]) }
        let top = try ["README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md"].map(repository.file)
        expectNone(try (files + pages + top).flatMap(FileRules.leftovers))
    }

    /// Counts are sums of cells: no other type has a day of a function, or its callers.
    @Test func countsAreCells() throws {
        expectNone(try sources.flatMap { FileRules.goneTypes(in: $1) })
    }

    @Test func noTypeIsNamedAsItsModule() throws {
        expectNone(try sources.compactMap { FileRules.namesake(in: $1, of: $0.name) })
    }

    @Test func theTopLevelIsFixed() {
        expectNone(LayoutRules.topLevel(of: repository))
    }

    @Test func everyFolderIsATarget() {
        expectNone(LayoutRules.targets(of: repository, manifest))
    }

    @Test func everyFolderIsOnTheMap() {
        expectNone(LayoutRules.map(of: repository))
    }

    @Test func whatIsBuiltIsIgnored() {
        expectNone(LayoutRules.ignoredFiles(of: repository))
    }

    @Test func samplesAreExplained() {
        expectNone(LayoutRules.samples(of: repository))
    }

    @Test func targetsHaveTheSettingsOfTheHouse() {
        expectNone(ManifestRules.missingSettings(in: manifest))
        expectNone(ManifestRules.targetsWithoutSettings(in: manifest))
    }

    @Test func dependenciesGoDown() {
        expectNone(ManifestRules.dependencies(in: manifest))
    }
}
