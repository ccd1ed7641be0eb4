import Readiness
import Verifications

/// Turns the nodes of a policy file into policy, and collects the mistakes on the way.
struct PolicyReader {
    private(set) var mistakes: [PolicyMistake] = []

    mutating func document(_ root: YAMLNode) -> PolicyDocument {
        var document = PolicyDocument()
        for (key, value, _) in pairs(of: root, in: .file) {
            switch key {
            case .policy: readNumbers(value, into: &document)
            case .functions: document.entries = entries(value)
            default: break
            }
        }
        return document
    }

    /// What stands under `policy:`.
    mutating func readNumbers(_ node: YAMLNode, into document: inout PolicyDocument) {
        for (key, value, line) in pairs(of: node, in: .policy) {
            document.lines[key] = line
            read(value, as: key, into: &document.settings)
        }
    }

    /// Notes a mistake in place of the value that could not be read.
    mutating func mistake<Value>(_ kind: PolicyMistake.Kind, _ node: YAMLNode) -> Value? {
        note(kind, node)
        return nil
    }

    mutating func note(_ kind: PolicyMistake.Kind, _ node: YAMLNode) {
        mistakes.append(PolicyMistake(place: node.place, kind: kind))
    }

    mutating func entries(_ node: YAMLNode) -> [PolicyEntry] {
        guard case .list(let items) = node.content else { return mistake(.notAList, node) ?? [] }
        return items.map { entry($0) }
    }

    /// One item of the list under `functions:`.
    private mutating func entry(_ node: YAMLNode) -> PolicyEntry {
        var entry = PolicyEntry(match: Glob(""), line: node.place.line)
        let pairs = pairs(of: node, in: .entry)
        if case .mapping = node.content, !pairs.contains(where: { $0.key == .match }) {
            entry.match = mistake(.noMatch, node) ?? entry.match
        }
        for (key, value, _) in pairs {
            switch key {
            case .match: entry.match = glob(value, key) ?? entry.match
            case .region: entry.region = glob(value, key)
            case .exempt: entry.exempt = reason(value)
            case .enforced: entry.enforced = day(value, key)
            case .since: entry.since = day(value, key)
            case .until: entry.until = day(value, key)
            default: read(value, as: key, into: &entry.settings)
            }
        }
        return entry
    }

    /// The pairs of a mapping whose keys belong there, with the lines of the keys.
    mutating func pairs(
        of node: YAMLNode, in section: PolicySection
    ) -> [(key: PolicyKey, value: YAMLNode, line: Int)] {
        guard case .mapping(let pairs) = node.content else { return mistake(.notAMapping(section), node) ?? [] }
        return pairs.compactMap { name, value in
            let spelling = name.text ?? ""
            let key = PolicyKey(rawValue: spelling)
            if let key, section.keys.contains(key) { return (key, value, name.place.line) }
            let nearest = NearestName.of(spelling, among: section.keys.map(\.rawValue))
            // In a policy, `function` is `functions` mistyped rather than a setting out of place.
            if let key, nearest == nil || key.isOfPolicy {
                return mistake(.misplacedKey(key, section: section), name)
            }
            return mistake(.unknownKey(spelling, suggestion: nearest, section: section), name)
        }
    }

    // MARK: Values

    /// Reads one of the numbers that may stand under `policy:` and in every entry.
    mutating func read(_ node: YAMLNode, as key: PolicyKey, into settings: inout PolicySettings) {
        switch key {
        case .maxBlocked: settings.maxBlocked = number(node, key, PolicyShare.maxBlocked.read)
        case .confidence: settings.confidence = number(node, key, PolicyShare.confidence.read)
        case .minDays: settings.minDays = number(node, key, PolicyDays.minDays.read)
        case .window: settings.window = number(node, key, PolicyDays.window.read)
        case .maxWindow: settings.maxWindow = number(node, key, PolicyDays.maxWindow.read)
        case .requiresAuth: settings.requiresAuth = boolean(node, key)
        case .quietDays: settings.quietDays = quietDays(node)
        case .confirm: settings.confirm = number(node, key, PolicyDays.confirm.read)
        default: break
        }
    }

    mutating func number<Value>(
        _ node: YAMLNode, _ key: PolicyKey, _ read: (String) throws(PolicyNumberFault) -> Value
    ) -> Value? {
        guard let text = scalar(node, key) else { return nil }
        do throws(PolicyNumberFault) {
            return try read(text)
        } catch {
            return mistake(.number(key, error), node)
        }
    }

    mutating func boolean(_ node: YAMLNode, _ key: PolicyKey) -> Bool? {
        guard scalar(node, key) != nil else { return nil }
        switch node.plainText {
        case "true": return true
        case "false": return false
        default: return mistake(.notABoolean(key), node)
        }
    }

    /// A list of weekdays and dates.
    private mutating func quietDays(_ node: YAMLNode) -> QuietDays? {
        guard case .list(let items) = node.content else { return mistake(.notAQuietDay, node) }
        var days = QuietDays()
        for item in items {
            if let weekday = item.text.flatMap({ PolicyReader.weekdays.firstIndex(of: $0) }) {
                days.weekdays.insert(weekday)
            } else if let date = item.text.flatMap(Day.init(iso8601:)) ?? mistake(.notAQuietDay, item) {
                days.dates.insert(date)
            }
        }
        return days
    }

    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private mutating func day(_ node: YAMLNode, _ key: PolicyKey) -> Day? {
        guard let text = scalar(node, key) else { return nil }
        return Day(iso8601: text) ?? mistake(.notADate(key), node)
    }

    mutating func glob(_ node: YAMLNode, _ key: PolicyKey) -> Glob? {
        guard let text = scalar(node, key) else { return nil }
        return text.allSatisfy(\.isWhitespace) ? mistake(.emptyGlob(key), node) : Glob(text)
    }

    /// Why a function is exempt, in words, so that a reader understands it next year.
    private mutating func reason(_ node: YAMLNode) -> String? {
        guard let text = scalar(node, .exempt) else { return nil }
        let isSwitch = node.plainText.map { ["true", "false", "yes", "no"].contains($0.lowercased()) } ?? false
        return isSwitch || text.allSatisfy(\.isWhitespace) ? mistake(.noReason, node) : text
    }

    /// The text of a value that is there and is neither a list nor a mapping.
    mutating func scalar(_ node: YAMLNode, _ key: PolicyKey) -> String? {
        guard let text = node.text else { return mistake(.notAScalar(key), node) }
        return node.isNull ? mistake(.noValue(key), node) : text
    }
}
