import Verifications

/// What the rows of a function prove of its log: every POST to a callable leaves a row, and the SDK logs one
/// verification before the function's own code runs.
struct RequestProof: Sendable {
    /// True when nearly all verifications of the window have a row, so that the request log is there as a whole.
    let isComplete: Bool
    /// Requests of the window that succeeded without a verification; 0 where rows prove nothing.
    let unlogged: Int
    /// Rows of the window answered 2xx.
    let successes: Int

    /// True when no verification of the window is missing from the log.
    var showsEverything: Bool { isComplete && unlogged == 0 }

    /// True when no passed verification is missing either.
    ///
    /// A filter by severity that drops passes drops rows answered 2xx as well, and leaves those of failures: Cloud Run
    /// writes the first at INFO, the others at WARNING or ERROR.
    var showsPasses: Bool { showsEverything && successes > 0 }

    private static let none = RequestProof(isComplete: false, unlogged: 0, successes: 0)

    private init(isComplete: Bool, unlogged: Int, successes: Int) {
        self.isComplete = isComplete
        self.unlogged = unlogged
        self.successes = successes
    }

    /// Looks at a window.
    ///
    /// Days after the last one that is known, those of a forecast, have no rows.
    init(_ history: FunctionHistory, _ days: ArraySlice<FunctionDay>, in window: Window?, through last: Day?) {
        self = .none
        guard let window, let last, let known = Window(from: window.from, to: min(window.to, last)) else { return }
        guard let callers = history.callers, history.givenUpThrough.map({ $0 < window.from }) ?? true else { return }
        var (withRow, unlogged, successes) = (0, 0, 0)
        for day in known.days {
            guard let day = callers.days[day] else { continue }
            withRow += day.withRow
            unlogged += day.unlogged
            successes += day.successes
        }
        let verifications = days.within(known).reduce(0) { $0 + $1.verifications }
        guard verifications > 0, 20 * Double(withRow) >= 19 * verifications else { return }
        self.init(isComplete: true, unlogged: unlogged, successes: successes)
    }
}
