internal import Entries
package import Readiness
package import Verifications

/// What the last report answered, and the one before it that answered something else.
///
/// A night's report may be printed in several formats: the same answer once more is no other report.
private struct KeptAnswers {
    private enum Place: UInt64 {
        case last = 1
        case former = 2
    }

    private let store: StoreTransaction
    private var answers: [UInt64: Store.Answers] = [:]

    init(_ store: StoreTransaction) throws {
        self.store = store
        try store.forEachRow(of: .answers) { place, bytes in
            var (decoder, answers) = (ByteDecoder(bytes), Store.Answers())
            try answers.code(&decoder)
            try decoder.end()
            self.answers[place] = answers
        }
    }

    private func isLast(_ now: Store.Answers) -> Bool { answers[Place.last.rawValue] == now }

    func before(_ now: Store.Answers) -> Store.Answers {
        answers[(isLast(now) ? Place.former : .last).rawValue] ?? [:]
    }

    func keep(_ now: Store.Answers) throws {
        guard !isLast(now) else { return }
        for (place, answers) in [(Place.former, answers[Place.last.rawValue]), (.last, now)] {
            guard var answers else { continue }
            var encoder = ByteEncoder()
            answers.code(&encoder)
            try store.put(encoder.written, as: place.rawValue, in: .answers)
        }
    }
}

extension Store {
    package typealias Answers = [FunctionIdentity: PastAnswer]

    /// What the report before this one answered.
    package func answers(before now: Answers) throws(StoreFailure) -> Answers {
        try read { try KeptAnswers($0).before(now) }
    }

    /// Keeps the answers of a report for the next one.
    package func keep(_ now: Answers) throws(StoreFailure) {
        try write { try KeptAnswers($0).keep(now) }
    }
}

extension Store.Answers {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        var read: Store.Answers = [:]
        let blank = PastAnswer(
            asOf: Instant(seconds: 0), verdict: .insufficient, ready: nil, isLockout: false, aftermath: nil,
            requests: 0, blocked: 0)
        let none = FunctionIdentity(project: "", region: "", name: "", generation: nil)
        for element in try coder.elements(map { ($0.key, $0.value) }, or: (none, blank)) {
            var (name, answer) = element
            let generation = Generation(rawValue: try coder.number(name.generation?.rawValue ?? 0, in: 0...2))
            name = FunctionIdentity(
                project: try coder.text(name.project), region: try coder.text(name.region),
                name: try coder.text(name.name), generation: generation)
            try answer.code(&coder)
            read[name] = answer
        }
        self = read
    }
}

extension PastAnswer {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        asOf = Instant(
            seconds: try coder.number(asOf.seconds, in: -1 << 40...1 << 40),
            nanoseconds: try coder.number(asOf.nanoseconds, in: 0...999_999_999))
        let word = try coder.text(verdict.rawValue)
        verdict = try coder.require(Verdict(rawValue: word), or: verdict)
        let days = -719_162...2_932_896
        if try coder.flag(ready != nil) {
            ready = Day(number: try coder.number(ready?.number ?? 0, in: days))
        }
        isLockout = try coder.flag(isLockout)
        let comparison = try coder.text(aftermath?.rawValue ?? "")
        if !comparison.isEmpty {
            aftermath = try coder.require(Aftermath.Comparison(rawValue: comparison), or: .asPredicted)
        }
        requests = try coder.number(requests, in: 0...1 << 50)
        blocked = try coder.number(blocked, in: 0...requests)
    }
}
