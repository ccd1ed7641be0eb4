/// Which target may import what: data flows one way, and what is expensive or dangerous stays in its place.
///
/// ```
///                         callcheck                        arguments, terminal, files written, clock, exit status
///       __________________|____________________
///      |         |          |        |         |
///   Analysis  History    Reports  PolicyFile   |           one pass, SQLite, renderers, YAML
///     |    \     |        /       Inventory    |           what is deployed
///     |     \____|_______/___________|_________|
///     |          Readiness                                  tallies, statistics, policy values, verdicts
///  LogStream        |
///    |   |   \______|
/// CZlib CByteMask   Verifications                           the domain's words
/// ```
///
/// The package manager does not hold targets to the dependencies they declare; this table does.
enum ImportRules {
    /// The modules that the sources of each target may import; what is not listed is not allowed.
    static let allowed: [String: Set<String>] = [
        "Verifications": [],
        "LogStream": ["CByteMask", "CChecksum", "CZlib", "Dispatch", "Glibc", "Synchronization", "Verifications"],
        "Rollout": ["Readiness", "Verifications"],
        "Readiness": ["Dispatch", "Glibc", "Synchronization", "Verifications"],
        "Analysis": ["Dispatch", "Glibc", "LogStream", "Readiness", "Rollout", "Synchronization", "Verifications"],
        "History": ["Foundation", "GRDB", "Glibc", "Readiness", "Verifications"],
        "Reports": ["Glibc", "Readiness", "Rollout", "Verifications"],
        "PolicyFile": ["Readiness", "Verifications", "Yams"],
        "Inventory": ["FoundationEssentials", "Readiness", "Verifications"],
        "callcheck": [
            "Analysis", "ArgumentParser", "Dispatch", "Glibc", "History", "Inventory", "LogStream", "PolicyFile",
            "Readiness", "Reports", "Rollout", "Synchronization", "Verifications",
        ],
        "SyntheticLogs": ["Glibc", "Verifications"],
        "synthetic-logs": ["ArgumentParser", "Glibc", "SyntheticLogs", "Verifications"],
    ]

    /// Targets of C, which import nothing.
    ///
    /// Inflating is left to libz, though faster code could be written: a well-kept library that reads hostile bytes is
    /// worth more than the time, and libz meets what is promised of speed. No decompressor of our own.
    static let ofC: Set<String> = ["CByteMask", "CChecksum", "CTestSupport", "CZlib"]

    /// What comes with the toolchain and needs no dependency.
    static let ofToolchain: Set<String> = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
    ]

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
            if !Set(statement.attributes).isDisjoint(with: ["testable", "_exported"]) {
                found.append("\(place): @\(statement.attributes.joined(separator: " @")) is not for sources")
            }
            return found
        }
    }
}
