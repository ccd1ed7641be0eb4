import LogStream
import Platform
import Readiness
import Reports
import Verifications

/// The function of a summary that a name refers to.
enum FunctionChoice {
    case one(FunctionSummary)
    /// None matches; what to say.
    case none(String)
    /// Several match; what to say, with how to name each.
    case several(String)

    /// How many names are listed.
    private static let listed = 20

    /// Finds the function among those that a glob selected.
    ///
    /// Of several, the one that is spelled exactly as typed is chosen; of both generations in one place, the second.
    init(_ typed: String, generation: Generation?, in summary: Summary, _ judge: Judge) {
        let matches = summary.functions.filter { function in
            function.isFunction && (generation == nil || function.identity.generation == generation)
        }
        let exact = matches.filter { ExactName($0.name) == ExactName(typed) }
        let isOneName = Set(matches.map { FunctionChoice.place($0.identity) }).count == 1
        let second = isOneName ? matches.filter { $0.identity.generation == .second } : []
        if let only = [matches, second, exact].first(where: { $0.count == 1 })?.first {
            self = .one(only)
        } else if matches.isEmpty {
            self = .none(FunctionChoice.noMatch(typed, generation: generation, in: summary, judge))
        } else {
            self = .several(FunctionChoice.list(matches, typed))
        }
    }

    /// What both generations of a function share.
    private static func place(_ identity: FunctionIdentity) -> [String] {
        [identity.project, identity.region, FunctionIdentity.normalized(identity.name)]
    }

    private static func noMatch(_ typed: String, generation: Generation?, in summary: Summary, _ judge: Judge) -> String
    {
        let name = DisplayText(name: typed).text
        if let generation, summary.functions.contains(where: \.isFunction) {
            return "\(name): not a function of generation \(generation.rawValue); leave --generation out"
        }
        if summary.input.verifications + summary.input.filtered == 0, MisplacedPath.exists(typed) {
            return "\(name): not a function; inputs come after the function: callcheck explain FUNCTION \(name)"
        }
        guard summary.input.faults.isEmpty else {
            return "\(name): no such function in what could be read; fix the inputs named above and run again"
        }
        let glob = Glob(typed)
        let names = judge.tally.functions.keys.map { ($0, judge.shownName(of: $0)) }
        if let (elsewhere, _) = names.filter({ glob.matches($0.1) || glob.matches($0.0.name) })
            .min(by: {
                (ExactName($0.0.project), ExactName($0.0.region)) < (ExactName($1.0.project), ExactName($1.0.region))
            })
        {
            let place = DisplayText(name: "\(elsewhere.project), \(elsewhere.region)").text
            return "\(name): seen in \(place), which --project or --region leaves out"
        }
        for case .unmatched(let suggestion?) in summary.functions.map(\.listing) {
            return "\(name): no such function was seen; did you mean \(DisplayText(name: suggestion).text)?"
        }
        return "\(name): no such function was seen" + seen(Set(names.map { ExactName($0.1) }).sorted().map(\.text))
    }

    private static func seen(_ names: [String]) -> String {
        guard !names.isEmpty else { return ", nor any other; check that these are the right exports" }
        let rest = names.count > listed ? " and \(names.count - listed) more" : ""
        let shown = names.prefix(listed).map { DisplayText(name: $0).text }
        return "; these were: \(shown.joined(separator: ", "))\(rest)"
    }

    private static func list(_ matches: [FunctionSummary], _ typed: String) -> String {
        let shown = matches.prefix(listed).map { "\n  \(label($0, among: matches))" }
        let rest = matches.count > listed ? "\n  and \(matches.count - listed) more" : ""
        let name = DisplayText(name: typed).text
        return "\(name) matches \(matches.count) functions; explain takes one of them:\(shown.joined())\(rest)"
    }

    /// What to type for one of several: the name, and what distinguishes it from others of that name.
    private static func label(_ function: FunctionSummary, among matches: [FunctionSummary]) -> String {
        func isSame(_ name: String) -> Bool {
            ExactName(FunctionIdentity.normalized(name)) == ExactName(FunctionIdentity.normalized(function.name))
        }
        let twins = matches.filter { isSame($0.name) }
        func differ<Value: Hashable>(_ value: (FunctionIdentity) -> Value) -> Bool {
            Set(twins.map { value($0.identity) }).count > 1
        }
        let identity = function.identity
        var label = DisplayText(name: function.name).text
        if differ({ ExactName($0.project) }) { label += " --project \(DisplayText(name: identity.project).text)" }
        if differ({ ExactName($0.region) }) { label += " --region \(DisplayText(name: identity.region).text)" }
        if differ(\.generation), let generation = identity.generation {
            label += " --generation \(generation.rawValue)"
        }
        return label
    }
}
