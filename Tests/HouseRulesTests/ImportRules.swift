/// Which target may import what: data flows one way, and what is expensive or dangerous stays in its place.
///
/// ```
///                         callcheck                        arguments, terminal, files written, clock, exit status
///       __________________|____________________
///      |         |          |        |         |
///   Entries   History    Reports  PolicyFile   |           one pass, SQLite, renderers, YAML
///     |    \     |        /           |        |
///     |     \____|_______/___________|_________|
///     |          Readiness                                  tallies, statistics, policy values, verdicts
///  LogStream        |
///    |   |   \______|
/// CZlib CByteMask   Verifications                           the domain's words
/// ```
///
/// Entries, the set of what was read, in memory and at rest, lies below History, too. It asks LogStream for libz, which
/// deflates and inflates what a store keeps.
///
/// Platform is the system: its C library, whose name differs from one to the next, and its cores. Nothing else names a
/// system.
///
/// The package manager does not hold targets to the dependencies they declare; this table does.
enum ImportRules {
    /// The C library, by the names that systems give it.
    static let platforms: Set<String> = ["Darwin", "Glibc", "Musl"]

    /// The modules that the sources of each target may import; what is not listed is not allowed.
    static let allowed: [String: Set<String>] = [
        "Platform": platforms.union(["Dispatch", "Synchronization"]),
        "Verifications": [],
        "LogStream": ["CByteMask", "CChecksum", "CZlib", "Dispatch", "Platform", "Synchronization", "Verifications"],
        "Rollout": ["Readiness", "Verifications"],
        "Readiness": ["Platform", "Verifications"],
        "Entries": ["LogStream", "Platform", "Readiness", "Verifications"],
        "History": ["Entries", "Foundation", "GRDB", "Platform", "Readiness", "Synchronization", "Verifications"],
        "Reports": ["Platform", "Readiness", "Rollout", "Verifications"],
        "PolicyFile": ["Readiness", "Verifications", "Yams"],
        "callcheck": [
            "ArgumentParser", "Dispatch", "Entries", "History", "LogStream", "Platform", "PolicyFile",
            "Readiness", "Reports", "Rollout", "Synchronization", "Verifications",
        ],
        "SyntheticLogs": ["Verifications"],
        "synthetic-logs": ["ArgumentParser", "Platform", "SyntheticLogs", "Verifications"],
    ]

    /// Targets of C, which import nothing.
    ///
    /// libz inflates, though faster code could be written: a well-maintained library that reads hostile bytes is worth
    /// more than the time, and libz is as fast as we promise. We do not write a decompressor.
    static let ofC: Set<String> = ["CByteMask", "CChecksum", "CTestSupport", "CZlib"]

    /// What comes with the toolchain and needs no dependency.
    static let ofToolchain = platforms.union(["Dispatch", "Foundation", "FoundationEssentials", "Synchronization"])

    /// What is wrong with the imports of a source file of a target.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - target: The target it belongs to.
    ///   - declared: The dependencies that the manifest gives the target.
    /// - Returns: One sentence for each violation.
    static func violations(in file: Repository.File, of target: String, declared: Set<String>) -> [String] {
        guard let allowed = allowed[target] else { return ["\(file.path): the table knows no target \(target)"] }
        return ImportStatement.all(in: file.text).flatMap { statement -> [String] in
            let place = "\(file.path):\(statement.line)"
            var found: [String] = []
            if !allowed.contains(statement.module) {
                found.append("\(place): \(target) may not import \(statement.module)")
            } else if !declared.union(ofToolchain).contains(statement.module) {
                found.append("\(place): \(target) does not declare \(statement.module) in Package.swift")
            }
            let reserved: Set<String> = target == "Platform" ? ["testable"] : ["testable", "_exported"]
            if !reserved.isDisjoint(with: statement.attributes) {
                found.append("\(place): @\(statement.attributes.joined(separator: " @")) is not for sources")
            }
            return found
        }
    }

    /// Where a file outside of Platform, a test's too, names a system: everything builds wherever Platform does.
    static func platformNames(in file: Repository.File) -> [String] {
        guard platforms.union(["if os("]).contains(where: file.text.contains) else { return [] }
        let words = SwiftCode(file.text).text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        return words.filter { _, line in
            if line.contains("if os(") { return true }
            guard line.contains("import") else { return false }
            return !platforms.isDisjoint(
                with: line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        }.map { index, _ in "\(file.path):\(index + 1): a system's name belongs into Sources/Platform" }
    }
}
