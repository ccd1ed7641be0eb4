import Readiness
import Verifications

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
            note(.noBoolean(key), at: node.place)
            return nil
        }
    }

    /// A list of weekdays and dates.
    private mutating func quietDays(_ node: YAMLNode) -> QuietDays? {
        guard case .list(let items) = node.content else {
            note(.noQuietDay, at: node.place)
            return nil
        }
        var days = QuietDays()
        for item in items {
            if let weekday = item.text.flatMap({ PolicyReader.weekdays.firstIndex(of: $0) }) {
                days.weekdays.insert(weekday)
            } else if let date = item.text.flatMap(Day.init(iso8601:)) {
                days.dates.insert(date)
            } else {
                note(.noQuietDay, at: item.place)
            }
        }
        return days
    }

    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    mutating func day(_ node: YAMLNode, _ key: PolicyKey) -> Day? {
        guard let text = scalar(node, key) else { return nil }
        guard let day = Day(iso8601: text) else {
            note(.noDay(key), at: node.place)
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

    /// Why a function is exempt: words, so that whoever reads them next year understands.
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
            note(.noScalar(key), at: node.place)
            return nil
        }
        guard !node.isNull else {
            note(.noValue(key), at: node.place)
            return nil
        }
        return text
    }
}
