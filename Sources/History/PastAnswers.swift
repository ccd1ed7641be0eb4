package import Readiness
package import Verifications

extension Store {
    package typealias Answers = [FunctionIdentity: PastAnswer]

    /// Returns the answers of the last report that answered something else.
    ///
    /// A night's report may be printed in several formats: the same answer once more is no other report.
    package func answers(before now: Answers) throws(StoreFailure) -> Answers {
        try read { try $0.answers.first { $0 != now } ?? [:] }
    }

    package func keep(_ now: Answers) throws(StoreFailure) {
        try write { store in
            let kept = try store.answers
            guard kept.first != now else { return }
            try store.put([now] + kept.prefix(1), as: 1, in: .answers, isKnown: !kept.isEmpty)
        }
    }
}

extension StoreTransaction {
    /// Those of the last two reports that differ, the last one first.
    fileprivate var answers: [Store.Answers] {
        get throws {
            let rows: [UInt64: [Store.Answers]] = try values(of: .answers)
            let answers = rows[1] ?? []
            guard answers.joined().allSatisfy(\.value.isPossible) else { throw StoreFailure.damaged(.answers) }
            return answers
        }
    }
}

extension PastAnswer {
    fileprivate var isPossible: Bool { (0...1 << 50).contains(requests) && (0...requests).contains(blocked) }
}
