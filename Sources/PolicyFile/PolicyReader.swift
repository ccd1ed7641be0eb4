import Readiness
import Verifications

/// Turns the nodes of a policy file into policy, and collects what is wrong on the way.
struct PolicyReader {
    private(set) var mistakes: [PolicyMistake] = []

    mutating func note(_ kind: PolicyMistake.Kind, at place: PolicyMistake.Place) {
        mistakes.append(PolicyMistake(place: place, kind: kind))
    }

    mutating func document(_ root: YAMLNode) -> PolicyDocument {
        var document = PolicyDocument()
        for (key, value) in pairs(of: root, in: .file) {
            switch key {
            case .policy: document.settings = settings(value)
            case .functions: document.entries = entries(value)
            default: break
            }
        }
        return document
    }

    private mutating func settings(_ node: YAMLNode) -> PolicySettings {
        var settings = PolicySettings()
        for (key, value) in pairs(of: node, in: .policy) { read(value, as: key, into: &settings) }
        return settings
    }

    private mutating func entries(_ node: YAMLNode) -> [PolicyEntry] {
        guard case .list(let items) = node.content else {
            note(.notAList, at: node.place)
            return []
        }
        return items.map { entry($0) }
    }

    /// The keys of a mapping that may stand there, with their values.
    mutating func pairs(of node: YAMLNode, in section: PolicySection) -> [(key: PolicyKey, value: YAMLNode)] {
        guard case .mapping(let pairs) = node.content else {
            note(.notAMapping(section), at: node.place)
            return []
        }
        return pairs.compactMap { name, value in
            let spelling = name.text ?? ""
            guard let key = PolicyKey(rawValue: spelling) else {
                let nearest = NearestName.of(spelling, among: section.keys.map(\.rawValue))
                note(.unknownKey(spelling, suggestion: nearest, section: section), at: name.place)
                return nil
            }
            guard section.keys.contains(key) else {
                note(.misplacedKey(key, section: section), at: name.place)
                return nil
            }
            return (key, value)
        }
    }
}

extension PolicyReader {
    /// One item of the list under `functions:`.
    mutating func entry(_ node: YAMLNode) -> PolicyEntry {
        let pairs = pairs(of: node, in: .entry)
        if case .mapping = node.content, !pairs.contains(where: { $0.key == .match }) {
            note(.noMatch, at: node.place)
        }
        var entry = PolicyEntry(match: Glob(""), line: node.place.line)
        for (key, value) in pairs {
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
}

extension PolicyReader {
    /// Reads one of the numbers that may stand under `policy:` and in every entry.
    mutating func read(_ node: YAMLNode, as key: PolicyKey, into settings: inout PolicySettings) {
        switch key {
        case .maxBlocked: settings.maxBlocked = share(node, key, .maxBlocked)
        case .confidence: settings.confidence = share(node, key, .confidence)
        case .minDays: settings.minDays = days(node, key, .minDays)
        case .window: settings.window = days(node, key, .window)
        case .maxWindow: settings.maxWindow = days(node, key, .maxWindow)
        case .requiresAuth: settings.requiresAuth = boolean(node, key)
        case .quietDays: settings.quietDays = quietDays(node)
        case .confirm: settings.confirm = days(node, key, .confirm)
        case .policy, .functions, .match, .region, .exempt, .enforced, .since, .until: break
        }
    }

    private mutating func share(_ node: YAMLNode, _ key: PolicyKey, _ share: PolicyShare) -> Double? {
        guard let text = scalar(node, key) else { return nil }
        do {
            return try share.read(text)
        } catch {
            note(.number(key, error), at: node.place)
            return nil
        }
    }

    private mutating func days(_ node: YAMLNode, _ key: PolicyKey, _ days: PolicyDays) -> Int? {
        guard let text = scalar(node, key) else { return nil }
        do {
            return try days.read(text)
        } catch {
            note(.number(key, error), at: node.place)
            return nil
        }
    }

    private mutating func boolean(_ node: YAMLNode, _ key: PolicyKey) -> Bool? {
        guard scalar(node, key) != nil else { return nil }
        switch node.plainText {
        case "true": return true
        case "false": return false
        default:
            note(.notABoolean(key), at: node.place)
            return nil
        }
    }

    /// A list of weekdays and dates.
    private mutating func quietDays(_ node: YAMLNode) -> QuietDays? {
        guard case .list(let items) = node.content else {
            note(.notAQuietDay, at: node.place)
            return nil
        }
        var days = QuietDays()
        for item in items {
            if let weekday = item.text.flatMap({ PolicyReader.weekdays.firstIndex(of: $0) }) {
                days.weekdays.insert(weekday)
            } else if let date = item.text.flatMap(Day.init(iso8601:)) {
                days.dates.insert(date)
            } else {
                note(.notAQuietDay, at: item.place)
            }
        }
        return days
    }

    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    mutating func day(_ node: YAMLNode, _ key: PolicyKey) -> Day? {
        guard let text = scalar(node, key) else { return nil }
        guard let day = Day(iso8601: text) else {
            note(.notADate(key), at: node.place)
            return nil
        }
        return day
    }

    mutating func glob(_ node: YAMLNode, _ key: PolicyKey) -> Glob? {
        guard let text = scalar(node, key) else { return nil }
        guard !text.allSatisfy(\.isWhitespace) else {
            note(.emptyGlob(key), at: node.place)
            return nil
        }
        return Glob(text)
    }

    /// Why a function is exempt: in words, so that a reader understands it next year.
    mutating func reason(_ node: YAMLNode) -> String? {
        guard let text = scalar(node, .exempt) else { return nil }
        let isSwitch = node.plainText.map { ["true", "false", "yes", "no"].contains($0.lowercased()) } ?? false
        guard !isSwitch, !text.allSatisfy(\.isWhitespace) else {
            note(.noReason, at: node.place)
            return nil
        }
        return text
    }

    /// The text of a value that is there and is neither a list nor a mapping.
    private mutating func scalar(_ node: YAMLNode, _ key: PolicyKey) -> String? {
        guard let text = node.text else {
            note(.notAScalar(key), at: node.place)
            return nil
        }
        guard !node.isNull else {
            note(.noValue(key), at: node.place)
            return nil
        }
        return text
    }
}
