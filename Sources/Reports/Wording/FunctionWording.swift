import Readiness

extension FunctionSummary {
    /// The one number that decided, in requests and days rather than rates: `about 4, at most 31 of 4,200 a day`.
    var brief: Wording {
        switch listing {
        case .seen: assessment.brief
        case .deployed(let trigger): FunctionSummary.deployed(trigger)
        case .unmatched(let suggestion): FunctionSummary.unmatched(suggestion)
        }
    }

    /// What is known about a function that an inventory names but no log entry does.
    private static func deployed(_ trigger: InventoryEntry.Trigger) -> Wording {
        trigger == .callable ? "deployed, no requests" : "deployed, no requests, perhaps not callable"
    }

    private static func unmatched(_ suggestion: String?) -> Wording {
        suggestion.map { "no such function; did you mean \(name: $0)?" } ?? "no such function"
    }
}
