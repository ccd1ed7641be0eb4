import TestSupport
import Testing

/// Each rule finds what breaks it.
@Suite struct RuleTests {
    private func file(_ text: String, at path: String = "Sources/Readiness/Day.swift") -> Repository.File {
        Repository.File(path: path, text: text)
    }

    // MARK: Imports

    @Test(arguments: [
        ("import Foundation", "Foundation", nil, []),
        ("  public import struct Readiness.Summary // why", "Readiness", "public", []),
        ("@testable import Reports", "Reports", nil, ["testable"]),
        ("@_spi(Checks) @preconcurrency import Glibc", "Glibc", nil, ["_spi", "preconcurrency"]),
        ("package import func Glibc.log;", "Glibc", "package", []),
        ("import `Yams`", "Yams", nil, []),
        ("@_exported public import Verifications", "Verifications", "public", ["_exported"]),
    ])
    func importsAreRecognised(text: String, module: String, access: String?, attributes: [String]) {
        let expected = ImportStatement(module: module, access: access, attributes: attributes, line: 2)
        #expect(ImportStatement.all(in: "// import Nothing\n\(text)\n") == [expected])
    }

    @Test func whatIsNoImportIsNone() {
        let source = """
            /* import A /* import B */
            import C */
            let text = "import D"; let raw = #"" import E"#
            let long = \"""
                import F
                \"""
            func important() {} // import G
            #if os(Linux)
            import H; import I
            #endif
            """
        #expect(ImportStatement.all(in: source).map(\.module) == ["H", "I"])
        #expect(ImportStatement.all(in: source).map(\.line) == [9, 9])
    }

    @Test(arguments: [
        ("import Foundation", "Readiness"), ("import LogStream", "Readiness"), ("import Readiness", "LogStream"),
        ("public import LogStream", "Reports"), ("import GRDB", "Reports"),
        ("import Mustache", "callcheck"), ("import Yams", "callcheck"),
        ("import ArgumentParser", "Entries"), ("import CZlib", "Entries"),
        ("import class Foundation.NSLock", "LogStream"), ("import SyntheticLogs", "callcheck"),
        ("@testable import Verifications", "Readiness"), ("@_exported import Verifications", "Readiness"),
        ("import Verifications", "Newcomer"), ("import Glibc", "LogStream"), ("@testable import Darwin", "Platform"),
    ])
    func forbiddenImportsAreFound(text: String, target: String) {
        let declared = ImportRules.allowed[target] ?? []
        #expect(ImportRules.violations(in: file(text), of: target, declared: declared).count == 1)
    }

    @Test func undeclaredImportsAreFound() {
        let allowed = file("import Readiness\nimport Platform")
        #expect(ImportRules.violations(in: allowed, of: "Reports", declared: ["Platform", "Readiness"]) == [])
        #expect(ImportRules.violations(in: allowed, of: "Reports", declared: ["Platform"]).count == 1)
    }

    @Test(arguments: [
        "import Glibc", "@_exported public import Musl", "#if canImport(Darwin)\n    import Darwin\n#endif",
        "#if os(Linux)\n#endif",
    ])
    func namesOfSystemsAreFound(text: String) {
        #expect(!ImportRules.platformNames(in: file(text)).isEmpty)
        #expect(ImportRules.platformNames(in: file("import Platform // not Glibc\nlet os = \"Glibc\"")) == [])
    }

    // MARK: Files

    @Test func wideCommentsAreFound() {
        func comment(_ width: Int) -> String { "    // " + String(repeating: "é", count: width - 7) }
        #expect(FileRules.wideComments(in: file("let a = 1\n\(comment(120))\n")) == [])
        #expect(FileRules.wideComments(in: file("let a = 1\n\(comment(121))\n")).count == 1)
        #expect(FileRules.wideComments(in: file("let text = \"\(comment(200))\"")) == [])
    }

    @Test func drawersAreFound() {
        #expect(FileRules.name(of: file("", at: "Sources/Reports/StringHelpers.swift")) != nil)
        #expect(FileRules.name(of: file("", at: "Sources/Reports/Extensions.swift")) != nil)
        #expect(FileRules.name(of: file("", at: "Sources/Reports/Counts.swift")) == nil)
    }

    @Test func unsafeCodeIsFound() {
        #expect(FileRules.unsafeWord(in: file("nonisolated(unsafe) var count = 0"), of: "Readiness") != nil)
        #expect(FileRules.unsafeWord(in: file("let x = unsafe y"), of: "LogStream") == nil)
        #expect(FileRules.unsafeWord(in: file("let x = unsafe y"), of: "callcheck") != nil)
        #expect(FileRules.unsafeWord(in: file(#"let x = "\(unsafe (y))""#), of: "Readiness") != nil)
        #expect(FileRules.unsafeWord(in: file("let x = \"unsafe\" // unsafe"), of: "Readiness") == nil)
        #expect(FileRules.unsafeWord(in: file("let isUnsafe = unsafeCount"), of: "Readiness") == nil)
    }

    @Test func leftoversAreFound() {
        #expect(FileRules.leftovers(in: file("a\n// \("TO" + "DO"): all of it\n/* \("FIX" + "ME") */")).count == 2)
        #expect(FileRules.leftovers(in: file("let methodTODOs = autodo")) == [])
    }

    @Test func namesakesAreFound() {
        #expect(FileRules.namesake(in: file("public struct Reports {}"), of: "Reports") != nil)
        #expect(FileRules.namesake(in: file("enum A { typealias Reports = Int }"), of: "Reports") != nil)
        #expect(FileRules.namesake(in: file("// struct Reports\nstruct ReportsView {}"), of: "Reports") == nil)
    }

    // MARK: Layout

    @Test func strayEntriesAreFound() throws {
        let directory = try TemporaryDirectory()
        for name in ["Package.swift", "README.md", ".gitignore", "Sources/A/A.swift", "docs/a.md"] {
            try directory.write(Array("Package.resolved\n".utf8), to: name)
        }
        let repository = Repository(root: directory.url)
        #expect(
            LayoutRules.topLevel(of: repository) == ["docs does not belong at the top", "Tests is missing at the top"])
        #expect(LayoutRules.ignoredFiles(of: repository) == [".gitignore lacks .build/"])
        #expect(LayoutRules.targets(of: repository, Manifest("")) == ["Sources/A is no target"])
        let manifest = Manifest(#".target(name: "A", dependencies: [])"#)
        #expect(LayoutRules.targets(of: repository, manifest) == ["the table of imports lacks A"])
    }

    @Test func foldersOffTheMapAreFound() throws {
        let directory = try TemporaryDirectory()
        for name in ["A", "B"] { try directory.write([], to: "Sources/\(name)/\(name).swift") }
        try directory.write(Array("| `Sources/A` | everything |\nSources/B".utf8), to: ".github/CONTRIBUTING.md")
        let gaps = LayoutRules.map(of: Repository(root: directory.url))
        #expect(gaps == [".github/CONTRIBUTING.md does not show `Sources/B`"])
    }

    @Test func unexplainedSamplesAreFound() throws {
        let directory = try TemporaryDirectory()
        for name in ["a.json.gz", "deep/b.json.gz", "c.json", "make.sh"] {
            try directory.write([], to: "samples/\(name)")
        }
        try directory.write(Array("`a.json.gz`, c.json, `samples/make.sh`".utf8), to: "samples/README.md")
        #expect(
            LayoutRules.samples(of: Repository(root: directory.url)) == [
                "samples/README.md does not mention `c.json`", "samples/README.md does not mention `deep/b.json.gz`",
            ])
    }
}
