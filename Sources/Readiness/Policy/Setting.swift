/// A setting whose values have a type.
package final class Setting<Value: Sendable>: SettingKey, @unchecked Sendable {
    /// The example is a value as `--set` takes it; the path is where a verdict's numbers have it, if it is one of them.
    init(
        _ name: String, _ notation: Notation<Value>, _ example: String,
        in sections: Set<PolicySection> = [.settingsFile], variable: String? = nil,
        at path: (any PartialKeyPath<VerdictPolicy> & Sendable)? = nil,
        default defaultValue: Value? = nil, looser: SettingKey.Direction? = nil, json: String? = nil
    ) where Value: Hashable {
        super.init(
            name, notation, example, sections, variable, path, defaultValue: defaultValue, looser: looser, json: json)
    }
}

/// A setting, whatever its values are: how and where it is written, and what loosens a gate.
///
/// Nothing of it changes, which is why it is sendable. A setting is one of these, and does not conform to a protocol
/// for it: the runtime would look through all conformances of the program for each type of values, on every start.
package class SettingKey: Hashable, @unchecked Sendable {
    package typealias Value = any Hashable & Sendable

    /// The way of writing that a file has to know about.
    package enum Form: Hashable, Sendable { case plain, path, flag, reason, list }

    /// The direction in which values are looser than the default.
    package enum Direction: Sendable { case higher, lower, other }

    /// `max-window`, as everything but programs spells it.
    package let name: String
    /// How programs know it.
    package let json: String
    package let example: String
    /// None for what only `--set` takes.
    package let sections: Set<PolicySection>
    /// The environment variable that sets it: `CALLCHECK_STORE`, `CALLCHECK_SET_MAX_REFUSED`; nil for what only makes
    /// sense where it is typed.
    package let variable: String?
    package let form: Form
    package let defaultValue: Value?
    /// Nil where no value changes what a gate lets pass.
    package let looser: Direction?
    /// True where the setting is one of the numbers of a verdict.
    package let isNumber: Bool
    private let reading: @Sendable ([String]) throws(SettingFault) -> Value
    private let writing: @Sendable (Value) -> String
    private let assigning: @Sendable (Value, inout VerdictPolicy) -> Void
    private let number: @Sendable (VerdictPolicy) -> Value?

    fileprivate init<Typed: Hashable & Sendable>(
        _ name: String, _ notation: Notation<Typed>, _ example: String, _ sections: Set<PolicySection>,
        _ variable: String?, _ path: (any PartialKeyPath<VerdictPolicy> & Sendable)?, defaultValue: Typed?,
        looser: Direction?, json: String?
    ) {
        (self.name, self.example, self.sections) = (name, example, sections)
        (self.looser, form, isNumber) = (looser, notation.form, path != nil)
        let words = name.split(separator: "-")
        self.json =
            json ?? words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
        let isSettable = !sections.isEmpty && sections != [.entry] && name != "functions"
        self.variable = isSettable ? variable ?? "CALLCHECK_SET_" + words.joined(separator: "_").uppercased() : nil
        number = { policy in path.flatMap { policy[keyPath: $0] as? Typed } }
        self.defaultValue = defaultValue ?? number(VerdictPolicy())
        reading = { items throws(SettingFault) in try notation.read(items) }
        writing = { value in (value as? Typed).map(notation.text) ?? "" }
        assigning = { value, policy in
            guard let value = value as? Typed else { return }
            if let path = path as? WritableKeyPath<VerdictPolicy, Typed> { policy[keyPath: path] = value }
            if let path = path as? WritableKeyPath<VerdictPolicy, Typed?> { policy[keyPath: path] = value }
        }
    }

    package static func == (left: SettingKey, right: SettingKey) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    package static let all: [SettingKey] = Mirror(reflecting: SettingTable.all).children.compactMap {
        $0.value as? SettingKey
    }
    private static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package static func named(_ name: String) -> SettingKey? { named[name] }

    /// The key of one setting of the table: `SettingKey[\.maxRefused]`.
    package static subscript(path: PartialKeyPath<SettingTable>) -> SettingKey {
        guard let setting = SettingTable.all[keyPath: path] as? SettingKey else {
            preconditionFailure("the table has nothing but settings")
        }
        return setting
    }

    /// True for a key that `--set` takes; the others only mean something in an entry for some functions.
    package var isSettable: Bool { variable != nil || sections.isEmpty }

    /// True where an answer depends on the setting.
    package var decides: Bool { isNumber || looser != nil }

    /// Reads a value as the command line and the environment have it: the items of a list behind commas.
    ///
    /// ```swift
    /// try SettingKey[\.maxRefused].read("0.5%")              // 0.005
    /// try SettingKey[\.safeNights].read("2w")                // 14
    /// try SettingKey[\.ignoreClients].read("tool, server")   // [.tool, .server]
    /// ```
    package func read(_ text: String) throws(SettingFault) -> Value {
        try read(form == .list ? SettingKey.items(of: text) : [text])
    }

    /// The items behind commas, without spaces around them.
    package static func items(of text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }.trimmedAtEnd) }
    }

    /// Reads the items of a list, or the one of anything else.
    package func read(_ items: [String]) throws(SettingFault) -> Value { try reading(items) }

    /// A value as ``read(_:)-(String)`` takes it.
    package func text(of value: Value) -> String { writing(value) }

    /// Returns a policy's value of the setting; nil if it has none, or if the setting is none of a verdict's.
    package func value(in policy: VerdictPolicy) -> Value? { number(policy) }

    fileprivate func assign(_ value: Value, to policy: inout VerdictPolicy) { assigning(value, &policy) }

    /// True for a value that lets a gate pass where the default would not.
    package func loosens(_ value: Value) -> Bool {
        func magnitude(_ value: Value?) -> Double { value as? Double ?? (value as? Int).map(Double.init) ?? 0 }
        return switch looser {
        case .higher: magnitude(value) > magnitude(defaultValue)
        case .lower: magnitude(value) < magnitude(defaultValue)
        case .other: defaultValue.map { text(of: $0) != text(of: value) } ?? false
        case nil: false
        }
    }

    /// How a file gives the example.
    package var exampleInFile: String {
        func quoted(_ text: Substring) -> String { text.contains("*") ? "\"\(text)\"" : String(text) }
        guard form == .list, example.contains(",") else { return quoted(example[...]) }
        return "[\(example.split(separator: ",").map(quoted).joined(separator: ", "))]"
    }
}

/// Values that somebody gave to some settings: `values.maxRefused` is nil where nobody did.
@dynamicMemberLookup
package struct SettingValues: Hashable, Sendable {
    private var values: [SettingKey: SettingKey.Value] = [:]

    package init() {}

    package init<Value: Hashable>(_ path: KeyPath<SettingTable, Setting<Value>>, _ value: Value) {
        self[dynamicMember: path] = value
    }

    package subscript<Value: Hashable>(dynamicMember path: KeyPath<SettingTable, Setting<Value>>) -> Value? {
        get { values[SettingTable.all[keyPath: path]] as? Value }
        set { values[SettingTable.all[keyPath: path]] = newValue }
    }

    package subscript(key: SettingKey) -> SettingKey.Value? {
        get { values[key] }
        set { values[key] = newValue }
    }

    /// In the order of the table.
    package var keys: [SettingKey] { SettingKey.all.filter { values[$0] != nil } }

    package var loosened: [SettingKey] { keys.filter { key in values[key].map(key.loosens) ?? false } }

    /// `max-refused=2%`, as `--set` takes it.
    package var text: String {
        keys.map { key in "\(key.name)=\(values[key].map(key.text) ?? "")" }.joined(separator: " ")
    }

    fileprivate func forEach(_ body: (SettingKey, SettingKey.Value) -> Void) { values.forEach(body) }

    private var hashable: [SettingKey: AnyHashable] { values.mapValues { AnyHashable($0) } }

    package static func == (left: SettingValues, right: SettingValues) -> Bool { left.hashable == right.hashable }
    package func hash(into hasher: inout Hasher) { hasher.combine(hashable) }
}

extension VerdictPolicy {
    /// Changes the numbers that one source of settings names: the `policy:` of a file, a command line, an entry.
    package mutating func apply(_ settings: SettingValues) {
        var policy = self
        settings.forEach { $0.assign($1, to: &policy) }
        self = policy
    }
}
