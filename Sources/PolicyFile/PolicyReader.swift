import Readiness
import Verifications
internal import Yams

/// Turns the nodes of a policy file into policy, and collects the mistakes on the way.
struct PolicyReader {
    private(set) var mistakes: [PolicyMistake] = []

    /// Reads the text of a file, handing over each key that belongs there; an empty settings file has none.
    static func read(
        _ text: String, in section: PolicySection,
        _ body: (inout PolicyReader, SettingKey, Node, Int) -> Void
    ) throws(InvalidPolicy) {
        var reader = PolicyReader()
        do {
            let root = try Node.root(of: text)
            for (key, node, line) in reader.pairs(of: root, in: section) { body(&reader, key, node, line) }
        } catch {
            guard section == .settingsFile, error.kind == .empty else { throw InvalidPolicy(mistakes: [error]) }
        }
        guard reader.mistakes.isEmpty else { throw InvalidPolicy(mistakes: reader.mistakes) }
    }

    /// Reads what is under `functions:` or under `policy:`.
    mutating func read(_ node: Node, as key: SettingKey, into document: inout PolicyDocument) {
        guard key == SettingKey[\.policy] else { return document.entries = entries(node) }
        let pairs = pairs(of: node, in: .policy)
        document.lines = Dictionary(pairs.map { ($0.key, $0.line) }) { $1 }
        document.values = values(of: pairs)
    }

    /// Notes a mistake in place of the value that could not be read.
    mutating func mistake<Value>(_ kind: PolicyMistake.Kind, _ node: Node) -> Value? {
        add(kind, node)
        return nil
    }

    mutating func add(_ kind: PolicyMistake.Kind, _ node: Node) {
        mistakes.append(PolicyMistake(place: node.place, kind: kind))
    }

    private mutating func entries(_ node: Node) -> [PolicyEntry] {
        guard let items = node.sequence else { return mistake(.notAList, node) ?? [] }
        return items.map { entry($0) }
    }

    private mutating func entry(_ node: Node) -> PolicyEntry {
        let pairs = pairs(of: node, in: .entry)
        if node.mapping != nil, !pairs.contains(where: { $0.key == SettingKey[\.match] }) { add(.noMatch, node) }
        var values = values(of: pairs)
        let match = values.match ?? Glob("")
        values[SettingKey[\.match]] = nil
        return PolicyEntry(match: match, values, line: node.place.line)
    }

    private mutating func values(of pairs: [(key: SettingKey, value: Node, line: Int)]) -> SettingValues {
        var values = SettingValues()
        for (key, node, _) in pairs { values[key] = value(node, of: key) }
        return values
    }

    /// The pairs of a mapping whose keys belong there, with the lines of the keys.
    mutating func pairs(
        of node: Node, in section: PolicySection
    ) -> [(key: SettingKey, value: Node, line: Int)] {
        guard let pairs = node.mapping else { return mistake(.notAMapping(section), node) ?? [] }
        return pairs.compactMap { name, value in
            let spelling = name.text ?? ""
            let key = SettingKey.named(spelling)
            if let key, section.keys.contains(key) { return (key, value, name.place.line) }
            // In a policy, `function` is `functions` mistyped rather than a setting out of place.
            if let key, key != SettingKey[\.function] || section != .file {
                return mistake(.misplacedKey(key, section: section), name)
            }
            return mistake(.unknownKey(spelling, section: section), name)
        }
    }

    /// Reads a value; each item of a list has a place of its own.
    mutating func value(_ node: Node, of key: SettingKey) -> SettingKey.Value? {
        let count = mistakes.count
        var items: [String] = []
        for item in key.form == .list ? node.sequence.map(Array.init) ?? [node] : [node] {
            guard let text = scalar(item, key) else { continue }
            items.append(text)
            let isSwitch = ["true", "false", "yes", "no"].contains(item.plainText?.lowercased())
            switch key.form {
            case .flag where item.plainText == nil: add(.value(key, .notABoolean), item)
            case .reason where isSwitch: add(.value(key, .noReason), item)
            default: _ = read([text], key, item)
            }
        }
        return mistakes.count == count ? read(items, key, node) : nil
    }

    private mutating func read(_ items: [String], _ key: SettingKey, _ node: Node) -> SettingKey.Value? {
        do throws(SettingFault) { return try key.read(items) } catch { return mistake(.value(key, error), node) }
    }

    /// The text of a value that is there and is neither a list nor a mapping.
    private mutating func scalar(_ node: Node, _ key: SettingKey) -> String? {
        guard let text = node.text else { return mistake(.notAScalar(key), node) }
        return node.isNull ? mistake(.noValue(key), node) : text
    }
}
