import Readiness

extension AssumeComplete {
    /// What was typed; nil when nothing was.
    var flag: String? {
        switch self {
        case .nothing: nil
        case .failures: "--assume-complete=failures"
        case .everything: "--assume-complete"
        }
    }

    /// What every output says of it.
    var note: Wording {
        switch self {
        case .nothing: ""
        case .failures: "\(code: "--assume-complete=failures"): a missing log of failures changes no verdict."
        case .everything:
            """
            \(code: "--assume-complete"): days without data, unreadable records and a missing log of failures change \
            no verdict.
            """
        }
    }
}
