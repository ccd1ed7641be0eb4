/// What lies where in the repository.
enum LayoutRules {
    static let topLevel: Set<String> = [
        "CHANGELOG.md", "LICENSE", "Package.swift", "README.md", "Sources", "Tests", "findings", "samples",
    ]

    /// Files that tools leave behind; `.gitignore` keeps them out.
    private static let leftBehind: Set<String> = ["Package.resolved"]

    /// Entries of the root that do not belong there, and those that are missing.
    static func topLevel(
        of repository: Repository, optional: Set<String> = ["CHANGELOG.md", "LICENSE", "findings", "samples"]
    ) -> [String] {
        let entries = Set(repository.entries().filter { !$0.hasPrefix(".") }).subtracting(leftBehind)
        let missing = topLevel.subtracting(entries).subtracting(optional)
        return entries.subtracting(topLevel).sorted().map { "\($0) does not belong at the top" }
            + missing.sorted().map { "\($0) is missing at the top" }
    }

    /// What is built, and what a package manager decides anew, is nobody's source.
    static func ignoredFiles(of repository: Repository) -> [String] {
        let lines = ((try? repository.file(".gitignore").text) ?? "").split(separator: "\n")
        return [".build/", "Package.resolved"].filter { !lines.contains(Substring($0)) }
            .map { ".gitignore lacks \($0)" }
    }

    /// A sample nobody explains is a riddle.
    static func samples(of repository: Repository) -> [String] {
        let files = repository.paths(below: "samples").filter { $0 != "samples/README.md" }
        let text = (try? repository.file("samples/README.md").text) ?? ""
        return files.map { String($0.dropFirst("samples/".count)) }
            .filter { !text.contains("`\($0)`") && !text.contains("`samples/\($0)`") }
            .map { "samples/README.md does not mention `\($0)`" }
    }

    /// People who join find every folder on the map.
    static func map(of repository: Repository) -> [String] {
        let text = (try? repository.file(".github/CONTRIBUTING.md").text) ?? ""
        return repository.entries(of: "Sources").filter { !$0.hasPrefix(".") && !text.contains("`Sources/\($0)`") }
            .map { ".github/CONTRIBUTING.md does not show `Sources/\($0)`" }
    }

    /// Every folder of sources is a target, and every target has its place in the table of imports.
    static func targets(of repository: Repository, _ manifest: Manifest) -> [String] {
        let folders = Set(repository.entries(of: "Sources").filter { !$0.hasPrefix(".") })
        let targets = Set(manifest.targets.filter { $0.path.hasPrefix("Sources/") }.map(\.name))
        let known = Set(ImportRules.allowed.keys).union(ImportRules.ofC)
        return folders.subtracting(targets).sorted().map { "Sources/\($0) is no target" }
            + targets.subtracting(known).sorted().map { "the table of imports lacks \($0)" }
    }
}
