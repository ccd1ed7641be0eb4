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
        guard key == .policy else { return document.entries = entries(node) }
        for (key, value, line) in pairs(of: node, in: .policy) {
            document.lines[key] = line
            document.values[key] = self.value(value, of: key)
        }
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
        var entry = PolicyEntry(match: Glob(""), line: node.place.line)
        let pairs = pairs(of: node, in: .entry)
        if node.mapping != nil, !pairs.contains(where: { $0.key == .match }) {
            entry.match = mistake(.noMatch, node) ?? entry.match
        }
        for (key, value, _) in pairs {
            switch key {
            case .match: entry.match = glob(value, key) ?? entry.match
            case .project: entry.project = glob(value, key)
            case .region: entry.region = glob(value, key)
            case .exempt: entry.exempt = reason(value)
            case .enforced: entry.enforced = time(value, key)
            case .since: entry.since = day(value, key)
            case .until: entry.until = day(value, key)
            default: entry.settings[key] = self.value(value, of: key)
            }
        }
        return entry
    }

    /// The pairs of a mapping whose keys belong there, with the lines of the keys.
    mutating func pairs(
        of node: Node, in section: PolicySection
    ) -> [(key: SettingKey, value: Node, line: Int)] {
        guard let pairs = node.mapping else { return mistake(.notAMapping(section), node) ?? [] }
        return pairs.compactMap { name, value in
            let spelling = name.text ?? ""
            let key = SettingKey(name: spelling)
            if let key, section.keys.contains(key) { return (key, value, name.place.line) }
            // In a policy, `function` is `functions` mistyped rather than a setting out of place.
            if let key, key != .function || section != .file {
                return mistake(.misplacedKey(key, section: section), name)
            }
            return mistake(.unknownKey(spelling, section: section), name)
        }
    }

    mutating func value(_ node: Node, of key: SettingKey) -> SettingValue? {
        do throws(SettingFault) {
            if case .list = key.row.kind { return items(node, key).map(SettingValue.texts) }
            guard let text = scalar(node, key) else { return nil }
            if key.row.kind == .flag, node.plainText == nil { throw .notABoolean }
            return try key.read(text)
        } catch {
            return mistake(.value(key, error), node)
        }
    }

    private mutating func items(_ node: Node, _ key: SettingKey) -> [String]? {
        let nodes = node.sequence.map(Array.init) ?? [node]
        if nodes.isEmpty, case .list(.glob) = key.row.kind { return mistake(.value(key, .emptyGlob), node) }
        return nodes.compactMap { node in
            guard let text = scalar(node, key) else { return nil }
            do throws(SettingFault) {
                try key.check(text)
                return text
            } catch {
                return mistake(.value(key, error), node)
            }
        }
    }

    private mutating func day(_ node: Node, _ key: SettingKey) -> Day? {
        guard let text = scalar(node, key) else { return nil }
        return Day(iso8601: text) ?? mistake(.notADate(key), node)
    }

    /// A date, or an instant with or without seconds.
    private mutating func time(_ node: Node, _ key: SettingKey) -> EnforcementTime? {
        guard let text = scalar(node, key) else { return nil }
        if let day = Day(iso8601: text) { return .date(day) }
        return Instant(typed: text).map { .instant($0) } ?? mistake(.notATime(key), node)
    }

    private mutating func glob(_ node: Node, _ key: SettingKey) -> Glob? {
        guard let text = scalar(node, key) else { return nil }
        return text.allSatisfy(\.isWhitespace) ? mistake(.value(key, .emptyGlob), node) : Glob(text)
    }

    /// Why a function is exempt, in words, so that a reader understands it next year.
    private mutating func reason(_ node: Node) -> String? {
        guard let text = scalar(node, .exempt) else { return nil }
        let isSwitch = node.plainText.map { ["true", "false", "yes", "no"].contains($0.lowercased()) } ?? false
        return isSwitch || text.allSatisfy(\.isWhitespace) ? mistake(.noReason, node) : text
    }

    /// The text of a value that is there and is neither a list nor a mapping.
    private mutating func scalar(_ node: Node, _ key: SettingKey) -> String? {
        guard let text = node.text else { return mistake(.notAScalar(key), node) }
        return node.isNull ? mistake(.noValue(key), node) : text
    }
}
