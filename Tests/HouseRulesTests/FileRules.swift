import Foundation

/// What every text file of ours must keep to.
enum FileRules {
    /// What must step outside memory safety lies in LogStream, or asks the system through Platform.
    static let unsafeTargets: Set<String> = ["LogStream", "Platform", "synthetic-logs"]
    /// Handlers of signals cannot be put elsewhere.
    static let unsafeFiles: Set<String> = ["Sources/callcheck/Terminal/Signals.swift"]

    /// Comments are as wide as code, which the formatter keeps to this and leaves them alone.
    static let columns = 120

    static func wideComments(in file: Repository.File) -> [String] {
        file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.count > columns, line.drop(while: { $0 == " " }).hasPrefix("//") else { return nil }
            return "\(file.path):\(index + 1): a comment of \(line.count) columns, more than \(columns)"
        }
    }

    /// What counted a function's requests beside its table of cells, worded findings beside their statements, settings
    /// without types, what read beside the reader of records, and what wrote a store's rows by hand.
    static let gone = [
        "DayTally", "FunctionTally", "AdmittedCallers", "CallEvidence", "FunctionCallers", "CallerDay", "CallerSummary",
        "SignedOutDay", "RevisionPart", "FunctionDay", "JudgedCounts", "DayCounter", "WindowCounts", "ServiceFacts",
        "ServiceDays", "ServiceClauses", "BlockedTimes", "RecentRequests", "PlatformTurns", "Cure", "Outage", "BadDay",
        "SettingRow", "SettingValue", "FindingText", "whyBrief", "NextSteps", "RecordSplitter", "LiveDays",
        "oddLines", "PlatformView", "VersionShares", "Coder", "SourceCoding", "KeptAnswers", "AddedSource",
    ]

    static func goneTypes(in file: Repository.File) -> [String] {
        gone.filter {
            file.text.contains($0) && file.text.range(of: #"\b\#($0)\b"#, options: .regularExpression) != nil
        }
        .map { "\(file.path): \($0) is gone; ask what took its place" }
    }

    /// A drawer is not a concept.
    static func name(of file: Repository.File) -> String? {
        let drawers = ["Utilities", "Utils", "Helpers", "Extensions", "Misc"]
        let stem = file.name.split(separator: ".").first ?? ""
        return drawers.contains { stem.hasSuffix($0) } ? "\(file.path) is named after a drawer, not a concept" : nil
    }

    /// The word can be searched for: without it, nothing is unsafe.
    static func unsafeWord(in file: Repository.File, of target: String) -> String? {
        guard !unsafeTargets.contains(target), !unsafeFiles.contains(file.path), file.text.contains("unsafe"),
            let line = lines(with: ["unsafe"], in: .init(path: file.path, text: SwiftCode(file.text).text)).first
        else { return nil }
        return "\(file.path):\(line): \(target) has no business with memory"
    }

    /// What is not done is an issue, not a comment.
    static func leftovers(in file: Repository.File) -> [String] {
        // Spelled in two pieces, or this line would break the rule.
        lines(with: ["TO" + "DO", "FIX" + "ME", "X" + "XX"], in: file).map { "\(file.path):\($0): is not done" }
    }

    /// A module and a type of one name cannot be told apart where both are seen.
    static func namesake(in file: Repository.File, of target: String) -> String? {
        guard file.text.contains(" \(target)") else { return nil }
        let words = SwiftCode(file.text).text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype"]
        let isDeclared = zip(words, words.dropFirst()).contains { kinds.contains($0) && $1 == target }
        return isDeclared ? "\(file.path): module \(target) declares a type of its own name" : nil
    }

    /// The numbers of the lines with one of the words, from 1.
    private static func lines(with words: Set<String>, in file: Repository.File) -> [Int] {
        guard words.contains(where: file.text.contains) else { return [] }
        return file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
            index, line in
            let parts = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            return parts.contains { words.contains(String($0)) } ? index + 1 : nil
        }
    }
}
