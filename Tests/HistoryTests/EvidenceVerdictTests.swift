import Analysis
import History
import Readiness
import TestSupport
import Testing
import Verifications

/// What a store's evidence changes of a verdict: the same as the log's, and nothing where some of it may be missing.
@Suite struct EvidenceVerdictTests {
    private static let function = FunctionIdentity(
        project: "demo", region: "europe-west1", name: "f", generation: .second)

    /// Four weeks of 60 requests a day, of which every 25th has a bad token and is answered all the same.
    private static let requests = (0..<28 * 60).map { number in
        var request = CalledRequest(number + 1, second: (number / 60 - 12) * 86_400 + number % 60 * 700)
        guard number % 25 == 0 else { return request }
        request.app = "INVALID"
        request.cause = CalledRequest.expired
        request.isAllowed = true
        return request
    }

    private static let sound = requests.filter { $0.app == "VALID" }

    private func file(_ lines: [String], _ name: String = "log.json") -> (bytes: [UInt8], name: String) {
        (Array(lines.joined(separator: "\n").utf8), name)
    }

    private func judged(_ nights: Nights) throws -> Assessment {
        judged(try nights.load())
    }

    private func judged(_ lines: [String], by nights: Nights) throws -> Assessment {
        judged(try nights.analysis([lines.joined(separator: "\n")]))
    }

    private func judged(_ result: LogAnalysis.Result) -> Assessment {
        Evaluator(
            tally: result.tally, rules: PolicyRules(), asOf: result.tally.newest, unread: result.input.unread,
            evidence: result.evidence
        )
        .assess(EvidenceVerdictTests.function)
    }

    /// Nothing is missing: rows show that there were no failures, night by night.
    @Test func completeRowsLiftTheDoubt() throws {
        let nights = try Nights()
        let days = Dictionary(grouping: EvidenceVerdictTests.sound) { $0.second / 86_400 }.sorted { $0.key < $1.key }
        for (day, requests) in days { try nights.run([file(requests.flatMap(\.lines), "\(day).json")]) }
        #expect(try judged(nights).verdict == .enforce)
        let whole = try judged(EvidenceVerdictTests.sound.flatMap(\.lines), by: nights)
        #expect(try judged(nights).codes == whole.codes && whole.verdict == .enforce)
    }

    /// A filter drops failures and all that is written about them; the rows of their requests stay.
    @Test(arguments: [false, true])
    func lostFailuresAreSeen(inFilesOfTheirOwn: Bool) throws {
        let nights = try Nights()
        let requests = EvidenceVerdictTests.requests
        let (passed, rows) = (requests.filter { $0.app == "VALID" }.map(\.verification), requests.map(\.row))
        if inFilesOfTheirOwn {
            try nights.run([file(rows, "requests.json"), file(passed, "stdout.json")])
        } else {
            try nights.run([file(passed + rows)])
        }
        #expect(try judged(nights).verdict == .insufficient)
        #expect(try judged(nights).codes == judged(passed + rows, by: nights).codes)
        #expect(try judged(nights).codes.contains("uncounted"))
    }

    /// The rows of lost failures are where the store has not looked, or not yet, or never will.
    @Test(arguments: ["killed", "altered", "cut", "before the function"])
    func partialEvidenceLiftsNothing(_ how: String) throws {
        let nights = try Nights()
        let requests = EvidenceVerdictTests.requests
        let sound = EvidenceVerdictTests.sound.flatMap { [$0.verification, $0.row] }
        let lost = requests.filter { $0.app != "VALID" }.map(\.row)
        let packed = Gzip.member(Array(lost.joined(separator: "\n").utf8), level: 0)
        switch how {
        case "killed":
            try nights.run([file(sound)])
            try nights.run([file(lost, "lost.json")], isKilled: true)
        case "altered":
            var broken = packed
            broken[broken.count - 8] ^= 1
            try nights.run([file(sound), (broken, "lost.json.gz")])
        case "cut":
            try nights.run([file(sound), (Array(packed.prefix(300)), "lost.json.gz")])
        default:
            try nights.run([file(lost, "lost.json")])
            try nights.run([file(sound)])
        }
        let assessment = try judged(nights)
        #expect(assessment.verdict == .insufficient, "\(how)")
        #expect(!Set(assessment.codes).isDisjoint(with: ["failures-not-seen", "uncounted"]), "\(assessment.codes)")
    }
}

extension Assessment {
    fileprivate var codes: [String] { reasons.map(\.code) }
}
