import Readiness

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
            note(.noList, at: node.place)
            return []
        }
        return items.map { entry($0) }
    }

    /// The keys of a mapping that may stand there, with their values.
    mutating func pairs(of node: YAMLNode, in section: PolicySection) -> [(key: PolicyKey, value: YAMLNode)] {
        guard case .mapping(let pairs) = node.content else {
            note(.noMapping(section), at: node.place)
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
