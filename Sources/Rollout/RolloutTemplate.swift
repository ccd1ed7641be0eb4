/// What a Remote Config template says of the rollout: how many of an iOS app's users use App Attest.
///
/// Source of the format: <https://firebase.google.com/docs/reference/remote-config/rest/v1/RemoteConfig>.
package struct RolloutTemplate: Hashable, Sendable {
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

    /// Finds out whom a parameter is true for; the default is nil where it has none.
    ///
    /// Conditions are asked in the template's order, and the first that holds decides. Those about other systems do not
    /// matter; those about some users only (testers, a country) change no percentage.
    package init(
        defaultValue: Value?, conditional: [(condition: TemplateCondition, value: Value)]
    ) throws(TemplateFault) {
        self.init(percent: 0)
        var grown: (TemplateCondition, Value)?
        // What holds for everybody whom no condition before has let in.
        var closing: (TemplateCondition, Value)?
        for (condition, value) in conditional where !condition.isOfOtherSystems {
            switch try value.checked {
            case .rollout(_, let isOn):
                guard isOn else { throw .inverted }
                guard grown == nil else { throw .severalConditions }
                grown = (condition, value)
            case .bool(let isOn) where !condition.percents.isEmpty:
                guard isOn else { throw .inverted }
                guard grown == nil, condition.percents.count == 1 else { throw .severalConditions }
                grown = (condition, value)
            case .inAppDefault where !condition.percents.isEmpty: throw .notBoolean
            default:
                if condition.isOfAllUsers {
                    closing = (condition, value)
                } else if grown == nil, value != .bool(true) {
                    exceptions.append(condition.name)
                }
            }
            if closing != nil { break }
        }
        if case .bool(let isOn) = defaultValue { self.defaultValue = isOn }
        let last = try (closing?.1 ?? defaultValue)?.checked
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

}

extension RolloutTemplate.Value {
    fileprivate var checked: RolloutTemplate.Value {
        get throws(TemplateFault) {
            switch self {
            case .notBoolean: throw .notBoolean
            case .personalization: throw .personalization
            case .experiment: throw .experiment
            case .bool, .inAppDefault, .rollout: self
            }
        }
    }
}

/// Why a Remote Config template does not say how far a rollout is, or cannot be changed.
package enum TemplateFault: Error, Hashable, Sendable {
    /// The template has no such parameter; what it has instead.
    case noParameter(boolean: [String])
    case ambiguousParameter
    case noCondition
    case severalConditions
    /// A condition switches App Attest off for a percentage, instead of on.
    case inverted
    case notBoolean
    case personalization
    case experiment
    case unknownCondition
    case severalTemplates
    case consoleRollout
    case noRoom
    case notReadBack

    /// What is wrong and what to do, in a sentence or two; the template's own names are made printable.
    package func message(file: String, parameter: String, printable: (String) -> String) -> String {
        "\(file): \(problem(parameter, printable))"
    }

    private func problem(_ parameter: String, _ printable: (String) -> String) -> String {
        switch self {
        case .noParameter(let boolean):
            "the template has no parameter \(parameter)"
                + (boolean.isEmpty
                    ? ", and no other boolean one; is it the template of another project?"
                    : "; name one with --parameter: " + boolean.prefix(5).map(printable).joined(separator: ", "))
        case .ambiguousParameter:
            "the template has \(parameter) in more than one group; Remote Config allows one place only. Get the template again "
                + "(firebase remoteconfig:get -o FILE)"
        case .noCondition:
            "\(parameter) has no condition with a percentage for iOS. Add a condition such as device.os == 'ios' && "
                + "percent <= 1 in the Firebase console, set \(parameter) to true under it and to false by default"
        case .severalConditions:
            "\(parameter) is true under more than one percentage, so that its share of users cannot be told. Keep one "
                + "condition with one percentage"
        case .inverted:
            "\(parameter) is false under a percentage. Turn it round: false by default, true under a condition with a "
                + "percentage"
        case .notBoolean:
            "\(parameter) has a value that is neither true nor false; a rollout needs a parameter that is"
        case .personalization:
            "\(parameter) is personalized, so that its share of users cannot be told. Use a condition with a percentage"
        case .experiment:
            "\(parameter) is part of an A/B test, so that its share of users cannot be told. End the test, and use a "
                + "condition with a percentage"
        case .unknownCondition:
            "\(parameter) names a condition that the template does not have: it was edited or cut. Get it again "
                + "(firebase remoteconfig:get -o FILE)"
        case .severalTemplates: "a second Remote Config template that is different; pass one"
        case .consoleRollout: "\(parameter) is a rollout of the Firebase console: raise it in the console"
        case .noRoom:
            "the condition's range of percentiles ends at 100 and cannot grow; let it begin lower, or use percent <= N"
        case .notReadBack: "the changed template does not read back as it should; change the number by hand"
        }
    }
}
