internal import Entries
package import Readiness
package import Verifications

/// The answers of the last report, and of the one before it that answered something else.
///
/// A night's report may be printed in several formats: the same answer once more is no other report.
private struct KeptAnswers {
    private static let (last, former): (UInt64, UInt64) = (1, 2)
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

    func before(_ now: Store.Answers) -> Store.Answers {
        let last = answers[KeptAnswers.last] ?? [:]
        return last == now ? answers[KeptAnswers.former] ?? [:] : last
    }

    func keep(_ now: Store.Answers) throws {
        let last = answers[KeptAnswers.last]
        guard last != now else { return }
        for (place, answers) in [(KeptAnswers.former, last), (KeptAnswers.last, now)] {
            guard var answers else { continue }
            var encoder = ByteEncoder()
            answers.code(&encoder)
            try store.put(encoder.written, as: place, in: .answers)
        }
    }
}

extension Store {
    package typealias Answers = [FunctionIdentity: PastAnswer]

    package func answers(before now: Answers) throws(StoreFailure) -> Answers {
        try read { try KeptAnswers($0).before(now) }
    }

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
        for element in try coder.elements(map { (Optional($0.key), $0.value) }, or: (nil, blank)) {
            let name = try coder.identity(element.0)
            var answer = element.1
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
        var names: Set<String> = []
        for element in try coder.elements(urgent.sorted(), or: "") { names.insert(try coder.text(element)) }
        urgent = names
        settings = try coder.word(settings)
    }
}
