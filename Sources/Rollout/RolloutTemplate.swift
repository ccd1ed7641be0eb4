/// The rollout in a Remote Config template: the percentage of an iOS app's users who use App Attest.
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

    package enum Value: Hashable, Sendable {
        case bool(Bool)
        case inAppDefault
        /// A rollout of the console: true for this percentage.
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
    case noParameter(boolean: [String])
    case ambiguousParameter
    case noCondition
    case severalConditions
    case inverted
    case notBoolean
    case personalization
    case experiment
    case unknownCondition
    case severalTemplates
    case consoleRollout
    case noRoom
    case notReadBack

    /// Describes what is wrong and what to do, in a sentence or two; the template's own names are made printable.
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

/// A condition of a template, as far as a rollout needs it: who of an iOS app's users it is about.
package struct TemplateCondition: Hashable, Sendable {
    package let name: String
    let percents: [PercentAtom]
    /// True when nothing but the percentile decides among the users of an iOS app.
    let isOfAllUsers: Bool
    let isOfOtherSystems: Bool

    /// All tests of an expression, with `&&` between them, must hold.
    package init(name: String, expression: String) {
        self.name = name
        let text = Array(expression.utf8)
        let parts = TemplateCondition.parts(of: text)
        let atoms = parts.map { PercentAtom(text, $0) }
        percents = atoms.compactMap(\.self)
        let others = zip(parts, atoms).filter { $1 == nil }
            .map { part, _ in text[part].filter { $0 != 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") } }
            .map { String(decoding: $0, as: UTF8.self) }
        isOfAllUsers = others.allSatisfy { TemplateCondition.system(namedBy: $0) == "ios" || $0 == "true" }
        isOfOtherSystems = others.contains { TemplateCondition.system(namedBy: $0).map { $0 != "ios" } ?? false }
    }

    /// The system that a test asks for, spaces and quotation marks left out; nil when it asks for something else.
    ///
    /// `device.os==ios`, and `app.id==1:1234567890:ios:0a1b2c3d`, where the third part is the system.
    private static func system(namedBy test: String) -> Substring? {
        if test.hasPrefix("device.os==") { return test.dropFirst("device.os==".count) }
        let parts = test.split(separator: ":", omittingEmptySubsequences: false)
        return test.hasPrefix("app.id==") && parts.count == 4 ? parts[2] : nil
    }

    /// The tests between `&&`, which in quotation marks is text.
    private static func parts(of text: [UInt8]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        var mark: UInt8?
        for index in text.indices {
            let byte = text[index]
            if let open = mark {
                if byte == open { mark = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                mark = byte
            } else if byte == UInt8(ascii: "&"), index > start, text[index - 1] == byte {
                parts.append(start..<index - 1)
                start = index + 1
            }
        }
        return parts + [start..<text.count]
    }
}

/// A condition's test of a random percentile, and where its number is.
///
/// ```
/// percent <= 10        percent > 75        percent('rollout_seed') between 0 and 25
/// ```
///
/// Source: <https://firebase.google.com/docs/remote-config/condition-reference>. A range has its lower end outside and
/// its upper end inside; numbers count to a millionth.
package struct PercentAtom: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
        /// `<=` and `<`.
        case upTo(Double)
        /// `>` and `>=`.
        case above(Double)
        case between(Double, Double)
    }

    /// Decides whose percentile is which; nil for the project's own.
    package let seed: String?
    package let test: Test
    /// The bytes of the number that grows or shrinks when more users are let in, in the condition.
    package let place: Range<Int>

    /// The share of users that pass, in per cent.
    package var percent: Double {
        switch test {
        case .upTo(let limit): limit
        case .above(let limit): 100 - limit
        case .between(let from, let to): max(0, to - from)
        }
    }

    /// The number to write so that a larger share passes and nobody who passed is left out; nil when a range has no
    /// room for it.
    package func number(for percent: Double) -> Double? {
        switch test {
        case .upTo: percent
        case .above: 100 - percent
        case .between(let from, _): from + percent <= 100 ? from + percent : nil
        }
    }

    init?(_ text: [UInt8], _ range: Range<Int>) {
        guard text[range].drop(while: { $0 == 0x20 }).starts(with: "percent".utf8) else { return nil }
        let part = String(decoding: text[range], as: UTF8.self)
        let form =
            #/
             \ * percent \ * (?: \( \ * (?: '([^']*)' | "([^"]*)" ) \ * \) )? \ *
             (?: ([<>])=? \ * ([0-9.]+) | between \ * ([0-9.]+) \ * and \ * ([0-9.]+) ) \ *
        /#.matchingSemantics(.unicodeScalar)
        guard let (_, single, double, sign, limit, from, to) = part.wholeMatch(of: form)?.output,
            let last = limit ?? to, let number = PercentAtom.number(last)
        else { return nil }
        seed = (single ?? double).map(String.init)
        if let sign {
            test = sign == "<" ? .upTo(number) : .above(number)
        } else {
            guard let first = from.flatMap(PercentAtom.number) else { return nil }
            test = .between(first, number)
        }
        let start = range.lowerBound + part.utf8.distance(from: part.startIndex, to: last.startIndex)
        place = start..<start + last.utf8.count
    }

    private static func number(_ digits: Substring) -> Double? {
        Double(digits).flatMap { (0...100).contains($0) ? $0 : nil }
    }
}
