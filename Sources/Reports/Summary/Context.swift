import Readiness
import Verifications

/// Where the functions run, the place of most of them first: only what differs from that is shown next to a name.
struct Places {
    private(set) var projects: [String] = []
    private(set) var regions: [String] = []
    private(set) var generations: [Generation] = []
    /// True when more than half of the functions are of the first generation listed.
    private var isMostlyOne = true

    init(_ functions: [FunctionSummary]) {
        let seen = functions.filter(\.isFunction).map(\.identity)
        func byCount<Key: Hashable & Comparable>(_ key: (FunctionIdentity) -> Key) -> [Key] {
            seen.reduce(into: [Key: Int]()) { $0[key($1), default: 0] += 1 }
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        }
        func names(_ name: (FunctionIdentity) -> String) -> [String] {
            byCount { ExactName(name($0)) }.map(\.text).filter { $0 != FunctionIdentity.unknown }
        }
        projects = names(\.project)
        regions = names(\.region)
        generations = byCount { $0.generation?.rawValue ?? 0 }.compactMap(Generation.init)
        isMostlyOne = 2 * seen.count { $0.generation == generations.first } > seen.count
    }

    /// A function's project, region and generation, as far as they differ from those of most functions.
    func telling(_ identity: FunctionIdentity) -> [Wording] {
        var parts: [Wording] = []
        let unknown = FunctionIdentity.unknown
        if ![unknown, projects.first].contains(identity.project) { parts.append("\(name: identity.project)") }
        if ![unknown, regions.first].contains(identity.region) { parts.append("\(name: identity.region)") }
        if let generation = identity.generation, generation != generations.first {
            parts.append("gen \(String(generation.rawValue))")
        }
        return parts
    }

    /// Projects, regions and the generation, those of most functions first.
    fileprivate var context: [Wording] {
        var parts: [Wording] = [projects, regions].filter { !$0.isEmpty }.map { "\(names: $0)" }
        if isMostlyOne, let usual = generations.first {
            parts.append("\(generations.count > 1 ? "mostly " : "")gen \(String(usual.rawValue))")
        } else if !generations.isEmpty {
            parts.append("gen \(generations.map { String($0.rawValue) }.joined(separator: " and "))")
        }
        return parts
    }
}

extension Summary {
    var places: Places { Places(functions) }

    /// What was read: where the functions run, the time span, and how many requests there are.
    ///
    /// Each part stays together when a line is broken.
    var context: [Wording] {
        var parts = places.context
        if let span {
            let isShort = span.first.adding(seconds: 2 * Instant.secondsPerDay) > span.last
            parts.append(
                isShort
                    ? "\(CalendarText.span(from: span.first, to: span.last)) UTC"
                    : "\(CalendarText.span(from: span.first.day, to: span.last.day))")
        }
        let requests = Figures.counted(input.verifications, "request")
        parts.append(
            input.verifications > 0 ? "\(requests)" : "\(requests) in \(Figures.counted(input.records, "record"))")
        return parts
    }
}
