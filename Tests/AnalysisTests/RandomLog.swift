import Foundation
import Readiness
import TestSupport
import Verifications

/// A seeded log of many kinds of lines, and the truth about it, counted while it was made.
struct RandomLog {
    private(set) var lines: [String] = []
    /// Each function's status matrix, with every entry counted once.
    private(set) var truth: [FunctionIdentity: StatusMatrix] = [:]
    private(set) var verifications = 0
    private(set) var duplicates = 0
    private(set) var undated = 0
    private(set) var malformed = 0

    init(seed: UInt64, entries: Int, functions: Int = 8, projects: Int = 3) {
        var random = SeededGenerator(seed: seed)
        for number in 0..<entries {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: lines.append(EntryText.application("entry \(number)").text)
            case 1: lines.append(stderr(project: "p\(Int.random(in: 0..<projects, using: &random))", using: &random))
            case 2:
                lines.append(String(EntryText.first("broken", id: "\(number)").text.dropLast(2)))
                malformed += 1
            default: addVerification(number, functions: functions, projects: projects, using: &random)
            }
        }
        lines.shuffle(using: &random)
    }

    var records: Int { lines.count }

    /// The lines in `count` parts, each line in one of them.
    func parts(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        var parts = Array(repeating: [String](), count: count)
        for line in lines.shuffled(using: &random) { parts[Int.random(in: 0..<count, using: &random)].append(line) }
        return parts.map { $0.joined(separator: "\n") }
    }

    private mutating func addVerification(
        _ number: Int, functions: Int, projects: Int, using random: inout SeededGenerator
    ) {
        let function = Int.random(in: 0..<functions, using: &random)
        let project = "p\(function % projects)"
        let statuses = ["VALID", "VALID", "VALID", "INVALID", "MISSING", "ODD"]
        let app = statuses.randomElement(using: &random) ?? "VALID"
        let auth = statuses.randomElement(using: &random) ?? "VALID"
        let isFirst = function.isMultiple(of: 2)
        var entry =
            isFirst
            ? EntryText.first(
                "f\(function)", app: app, auth: auth, id: "\(number)", time: time(using: &random), project: project)
            : EntryText.second(
                "s\(function)", app: app, auth: auth, id: "\(number)", time: time(using: &random), project: project,
                label: ["s_\(function)", "S_\(function)", nil].randomElement(using: &random) ?? nil)
        let identity = FunctionIdentity(
            project: project, region: isFirst ? "us-central1" : "europe-west1",
            name: isFirst ? "f\(function)" : "s\(function)",
            generation: isFirst ? .first : .second)
        let isUndated = Int.random(in: 0..<30, using: &random) == 0
        if isUndated { entry = entry.with("timestamp", nil).with("receiveTimestamp", nil) }
        // Whether equal records without a time are copies depends on the file they are in.
        let copies =
            !isUndated && Int.random(in: 0..<5, using: &random) == 0 ? Int.random(in: 2...4, using: &random) : 1
        lines += (0..<copies).map { _ in entry.with("severity", severity(using: &random)).text }
        verifications += 1
        duplicates += copies - 1
        undated += isUndated ? 1 : 0
        truth[identity, default: StatusMatrix()][status(app), status(auth)] += 1
    }

    private func severity(using random: inout SeededGenerator) -> String? {
        [#""DEBUG""#, #""INFO""#, #""WARNING""#, nil].randomElement(using: &random) ?? nil
    }

    private func status(_ name: String) -> TokenStatus {
        TokenStatus.allCases.first { $0.name == name } ?? .other
    }

    private func time(using random: inout SeededGenerator) -> String {
        let instant = Instant(
            seconds: Int64.random(in: 1_791_000_000..<1_793_000_000, using: &random),
            nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &random))
        return instant.description
    }

    private func stderr(project: String, using random: inout SeededGenerator) -> String {
        EntryText.application("on stderr", time: time(using: &random))
            .with("logName", "\"projects/\(project)/logs/run.googleapis.com%2Fstderr\"")
            .with("resource", "null").text
    }
}
