import Readiness
import Verifications

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
