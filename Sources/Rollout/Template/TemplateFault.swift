/// Why a Remote Config template does not say how far a rollout is, or cannot be changed.
package enum TemplateFault: Error, Hashable, Sendable {
    /// The template has no such parameter; what it has instead.
    case noParameter(boolean: [String])
    /// The parameter stands in more than one place.
    case ambiguousParameter
    /// No condition lets a percentage of the users in.
    case noCondition
    /// More than one condition does.
    case severalConditions
    /// A condition switches App Attest off for a percentage, instead of on.
    case inverted
    case notBoolean
    case personalization
    case experiment
    /// The parameter has a condition that the template does not have.
    case unknownCondition
    /// Two inputs, or two values of one, are different templates.
    case severalTemplates
    // Why it cannot be changed.
    case consoleRollout
    /// The range of percentiles has no room for so many.
    case noRoom
    /// What was written does not read back as what was meant.
    case notReadBack

    /// What is wrong and what to do.
    ///
    /// - Parameters:
    ///   - file: The template's name, printable.
    ///   - parameter: The parameter's name, printable.
    ///   - printable: Makes a name printable.
    /// - Returns: A sentence or two.
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
