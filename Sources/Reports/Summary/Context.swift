import Readiness
import Verifications

/// Project, region and generation that functions share; nil where they differ.
struct CommonPlace {
    var project: String?
    var region: String?
    /// The outer nil: generations differ; the inner one: no log says which.
    var generation: Generation??
}

extension Summary {
    var commonPlace: CommonPlace {
        let seen = functions.filter(\.isFunction)
        func common<Value: Equatable>(_ value: (FunctionIdentity) -> Value) -> Value? {
            guard let first = seen.first.map({ value($0.identity) }) else { return nil }
            return seen.allSatisfy { value($0.identity) == first } ? first : nil
        }
        return CommonPlace(
            project: common { ExactName($0.project) }?.text, region: common { ExactName($0.region) }?.text,
            generation: common(\.generation))
    }

    /// What functions of one name share: the rest is needed to tell them apart.
    var tellingPlace: CommonPlace {
        let seen = functions.filter(\.isFunction)
        let groups = Dictionary(grouping: seen) { FunctionIdentity.normalized($0.name) }.values
        func differ<Value: Hashable>(_ value: (FunctionIdentity) -> Value) -> Bool {
            groups.contains { Set($0.map { value($0.identity) }).count > 1 }
        }
        return CommonPlace(
            project: differ { ExactName($0.project) } ? nil : "", region: differ { ExactName($0.region) } ? nil : "",
            generation: differ(\.generation) ? nil : .some(nil))
    }

    /// What was read: the place that all functions share, the time span, the counts and sizes of the input.
    ///
    /// Each part keeps together when a line has to be broken.
    var context: [Wording] {
        var parts: [Wording] = []
        let place = commonPlace
        let projects = Set(functions.map { ExactName($0.identity.project) })
            .subtracting([ExactName(FunctionIdentity.unknown)]).count
        if let project = place.project, project != FunctionIdentity.unknown {
            parts.append("\(name: project)")
        } else if projects > 0 {
            parts.append("\(Figures.counted(projects, "project"))")
        }
        if let region = place.region, region != FunctionIdentity.unknown { parts.append("\(name: region)") }
        if case .some(.some(let generation)) = place.generation { parts.append("gen \(String(generation.rawValue))") }
        if let span {
            let isShort = span.first.adding(seconds: 2 * Instant.secondsPerDay) > span.last
            parts.append(
                isShort
                    ? "\(CalendarText.span(from: span.first, to: span.last, dash: "–")) UTC"
                    : "\(CalendarText.span(from: span.first.day, to: span.last.day, dash: "–"))")
        }
        parts.append(
            "\(Figures.counted(input.verifications, "verification")) in \(Figures.counted(input.records, "record"))")
        parts.append("\(size)")
        return parts
    }

    private var size: String {
        let inputs = input.sources == 1 ? "" : "\(Figures.counted(input.sources, "input")), "
        let read = Figures.bytes(input.bytesRead)
        guard input.bytesRead != input.bytesDecompressed else { return inputs + read }
        return "\(inputs)\(read) compressed, \(Figures.bytes(input.bytesDecompressed)) plain"
    }
}
