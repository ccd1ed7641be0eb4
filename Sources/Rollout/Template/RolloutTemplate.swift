/// What a Remote Config template says of the rollout: how many of an iOS app's users use App Attest.
///
/// Source of the format: <https://firebase.google.com/docs/reference/remote-config/rest/v1/RemoteConfig>.
package struct RolloutTemplate: Hashable, Sendable {
    /// The share of users for whom the parameter is true, 0 to 100.
    package var percent: Double
    /// The condition that lets them in; nil when the default does.
    package var condition: String?
    package var seed: String?
    /// The parameter where no condition holds; nil where the app's own default does, or a rollout of the console.
    package var defaultValue: Bool?
    /// `version.versionNumber`; nil where the template has none, as `firebase remoteconfig:get -o` writes it.
    package var version: Int?
    /// True for a rollout of the console, which is changed there.
    package var isConsoleRollout = false
    /// The test of the condition that grows; nil for a rollout of the console.
    package var atom: PercentAtom?
    /// True when the condition asks more of an iOS user than the percentile.
    package var isNarrowed = false
    /// Conditions that come first and leave the parameter off for some users.
    package var exceptions: [String] = []
    /// Other parameters with the same condition, which grow along.
    package var siblings: [String] = []

    /// True when everybody has the parameter without any percentage.
    package var isUnconditional: Bool { percent == 100 && atom == nil && !isConsoleRollout }

    package init(percent: Double, condition: String? = nil, defaultValue: Bool? = nil) {
        self.percent = percent
        self.condition = condition
        self.defaultValue = defaultValue
    }

    /// What a parameter is under a condition.
    package enum Value: Hashable, Sendable {
        case bool(Bool)
        case inAppDefault
        /// A rollout of the console: true for so many per cent.
        case rollout(percent: Double, value: Bool)
        /// Something that is not true or false: text, a number, JSON.
        case notBoolean
        /// The console chooses for each user.
        case personalization
        case experiment
    }

    /// Finds out whom a parameter is true for.
    ///
    /// Conditions are asked in the template's order, and the first that holds decides. Those about other systems do not
    /// matter; those about some users only (testers, a country) change no percentage.
    ///
    /// - Parameters:
    ///   - defaultValue: The parameter where no condition holds; nil where it has none.
    ///   - conditional: The parameter's conditions in the template's order, and its value under each.
    /// - Throws: Why it is not a rollout.
    package init(
        defaultValue: Value?, conditional: [(condition: TemplateCondition, value: Value)]
    ) throws(TemplateFault) {
        self.init(percent: 0)
        var grown: (TemplateCondition, Value)?
        // What holds for everybody whom no condition before has let in.
        var closing: (TemplateCondition, Value)?
        for (condition, value) in conditional where !condition.isOfOtherSystems {
            switch value {
            case .notBoolean: throw .notBoolean
            case .personalization: throw .personalization
            case .experiment: throw .experiment
            case .rollout(_, let isOn):
                guard isOn else { throw .inverted }
                guard grown == nil else { throw .severalConditions }
                grown = (condition, value)
            case .bool(let isOn) where !condition.percents.isEmpty:
                guard isOn else { throw .inverted }
                guard grown == nil, condition.percents.count == 1 else { throw .severalConditions }
                grown = (condition, value)
            case .inAppDefault where !condition.percents.isEmpty: throw .notBoolean
            case .bool, .inAppDefault:
                if condition.isOfAllUsers {
                    closing = (condition, value)
                } else if grown == nil, value != .bool(true) {
                    exceptions.append(condition.name)
                }
            }
            if closing != nil { break }
        }
        if case .bool(let isOn) = defaultValue { self.defaultValue = isOn }
        let last = try RolloutTemplate.checked(closing?.1 ?? defaultValue)
        if last == .bool(true) {
            (percent, condition) = (100, closing?.0.name)
            return
        }
        if case .rollout(let share, let isOn) = last {
            guard isOn else { throw .inverted }
            guard grown == nil else { throw .severalConditions }
            (percent, isConsoleRollout) = (share, true)
            return
        }
        guard let (condition, value) = grown else { throw .noCondition }
        self.condition = condition.name
        isNarrowed = !condition.isOfAllUsers
        if case .rollout(let share, _) = value {
            (percent, isConsoleRollout) = (share, true)
        } else if let atom = condition.percents.first {
            (percent, seed, self.atom) = (atom.percent, atom.seed, atom)
        }
    }

    private static func checked(_ value: Value?) throws(TemplateFault) -> Value {
        switch value {
        case .notBoolean: throw .notBoolean
        case .personalization: throw .personalization
        case .experiment: throw .experiment
        case nil: .inAppDefault
        case let value?: value
        }
    }
}
