internal import GRDB
package import Readiness
package import Verifications

/// What the last report said about a function, or the one before it.
struct AnswerRow: StoreRow, Equatable {
    static let databaseTableName = "answers"

    let project: StoredText
    let region: StoredText
    let name: StoredText
    /// 0 for an unknown one.
    let generation: Int
    /// True for the report before the last one.
    var isFormer = false
    let asOfSecond: Int64
    let asOfNanosecond: Int
    let verdict: String
    let ready: Int32?
    let isLockout: Bool
    let aftermath: String?
    let requests: Int
    let blocked: Int

    init(_ identity: FunctionIdentity, _ answer: PastAnswer) {
        (project, region) = (StoredText(identity.project), StoredText(identity.region))
        (name, generation) = (StoredText(identity.name), Int(identity.generation?.rawValue ?? 0))
        (asOfSecond, asOfNanosecond) = (answer.asOf.seconds, Int(answer.asOf.nanoseconds))
        (verdict, ready, isLockout) = (answer.verdict.rawValue, answer.ready?.number, answer.isLockout)
        (aftermath, requests, blocked) = (answer.aftermath?.rawValue, answer.requests, answer.blocked)
    }

    var isPossible: Bool {
        Verdict(rawValue: verdict) != nil && (0...2).contains(generation) && RowLimits.seconds.contains(asOfSecond)
            && (0..<1_000_000_000).contains(asOfNanosecond) && ready.map(RowLimits.days.contains) ?? true
            && aftermath.map { Aftermath.Comparison(rawValue: $0) != nil } ?? true
            && RowLimits.counts.contains(requests) && (0...requests).contains(blocked)
    }

    fileprivate var identity: FunctionIdentity {
        FunctionIdentity(
            project: project.text, region: region.text, name: name.text,
            generation: Generation(rawValue: UInt8(generation)))
    }

    fileprivate var answer: PastAnswer {
        PastAnswer(
            asOf: Instant(seconds: asOfSecond, nanoseconds: UInt32(asOfNanosecond)),
            verdict: Verdict(rawValue: verdict) ?? .insufficient, ready: ready.map(Day.init(number:)),
            isLockout: isLockout, aftermath: aftermath.flatMap(Aftermath.Comparison.init), requests: requests,
            blocked: blocked)
    }
}

extension Store {
    package typealias Answers = [FunctionIdentity: PastAnswer]

    /// What the report before this one answered.
    ///
    /// A night's report may be printed in several formats: the same answers once more are no other report.
    package func answers(before now: Answers) throws(StoreFailure) -> Answers {
        try read { try KeptAnswers($0).before(now) }
    }

    /// Keeps the answers of a report for the next one; of functions that it did not select, the earlier ones stay.
    package func keep(_ now: Answers) throws(StoreFailure) {
        try write { store in
            let kept = try KeptAnswers(store)
            guard !kept.isLast(now) else { return }
            for (identity, answer) in now {
                if let last = kept.last[identity] {
                    var former = AnswerRow(identity, last)
                    former.isFormer = true
                    try former.save(store.db)
                }
                try AnswerRow(identity, answer).save(store.db)
            }
        }
    }
}

private struct KeptAnswers {
    private(set) var last: Store.Answers = [:]
    private var former: Store.Answers = [:]

    init(_ store: StoreTransaction) throws {
        for row in try store.rows(AnswerRow.self) {
            if row.isFormer { former[row.identity] = row.answer } else { last[row.identity] = row.answer }
        }
    }

    func isLast(_ now: Store.Answers) -> Bool { now.allSatisfy { last[$0.key] == $0.value } }

    func before(_ now: Store.Answers) -> Store.Answers {
        (isLast(now) ? former : last).filter { now[$0.key] != nil }
    }
}
