package import Readiness
import Verifications

/// How the functions of a summary are named, in every format: each with what distinguishes it from the others.
///
/// If there are several projects, every name includes its project. A name that one project has in several regions, or
/// in both generations, includes these as well.
package struct FunctionNames {
    let projects: [String]
    let regions: [String]
    let generations: [Generation]
    /// True when more than half of the functions are of the first generation listed.
    let isMostlyOne: Bool
    let hasSeveralProjects: Bool
    /// The names that a project has in several regions, and in both generations.
    private var inSeveralRegions: Set<Home> = []
    private var ofBothGenerations: Set<Home> = []

    /// The project and the name that functions share.
    private struct Home: Hashable {
        let project: ExactName
        let name: ExactName

        init(_ identity: FunctionIdentity, _ name: String) {
            project = ExactName(identity.project)
            self.name = ExactName(FunctionIdentity.normalized(name))
        }
    }

    package init(_ functions: [FunctionSummary]) {
        let seen = functions.filter { $0.isFunction }
        func byCount<Key: Hashable & Comparable>(_ key: (FunctionIdentity) -> Key) -> [Key] {
            seen.reduce(into: [Key: Int]()) { $0[key($1.identity), default: 0] += 1 }
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        }
        func known(_ names: [ExactName]) -> [String] { names.map(\.text).filter { $0 != FunctionIdentity.unknown } }
        let projects = byCount { ExactName($0.project) }
        self.projects = known(projects)
        hasSeveralProjects = projects.count > 1
        regions = known(byCount { ExactName($0.region) }).filter { !FunctionIdentity.isRegionOfServices($0) }
        let generations = byCount { $0.generation?.rawValue ?? 0 }.compactMap(Generation.init)
        self.generations = generations
        isMostlyOne = 2 * seen.count { $0.identity.generation == generations.first } > seen.count
        var newest: [Home: FunctionIdentity] = [:]
        for function in seen {
            let (home, identity) = (Home(function.identity, function.name), function.identity)
            guard let other = newest.updateValue(identity, forKey: home) else { continue }
            if ExactName(other.region) != ExactName(identity.region) { inSeveralRegions.insert(home) }
            if other.generation != identity.generation { ofBothGenerations.insert(home) }
        }
    }

    /// True when the name alone could mean several functions, of one project where rows are grouped by it.
    func needsPlace(_ function: FunctionSummary, inProject: Bool) -> Bool {
        let (project, region, generation) = parts(function.identity, function.name)
        return project != nil && !inProject || region != nil || generation != nil
    }

    /// The parts that a name needs to mean one function; nil and unknown parts are left out.
    private func parts(
        _ identity: FunctionIdentity, _ name: String
    ) -> (project: String?, region: String?, generation: Generation?) {
        let home = Home(identity, name)
        func part(_ text: String, _ isNeeded: Bool) -> String? {
            isNeeded && text != FunctionIdentity.unknown ? text : nil
        }
        return (
            part(identity.project, hasSeveralProjects), part(identity.region, inSeveralRegions.contains(home)),
            ofBothGenerations.contains(home) ? identity.generation : nil
        )
    }

    /// In a sentence: `addMessage`, `addMessage in my-app/us-central1`.
    subscript(function: FunctionSummary) -> Wording {
        let (project, region, generation) = parts(function.identity, function.name)
        let place = [project, region].compactMap { $0 }.map { "\(name: $0)" as Wording }
        var label: Wording = "\(name: function.name)"
        if let first = place.first { label = label + place.dropFirst().reduce(" in " + first) { $0 + "/" + $1 } }
        return generation.map { label + " (gen \(String($0.rawValue)))" } ?? label
    }

    /// In a table: what distinguishes the function, and what is unusual about its place.
    func place(of function: FunctionSummary, inProject: Bool = false) -> [Wording] {
        let identity = function.identity
        var (project, region, generation) = parts(identity, function.name)
        // Among nothing but services that needs no word.
        let isPlain = identity.isService && regions.isEmpty
        if !isPlain, ![FunctionIdentity.unknown, regions.first].contains(identity.region) { region = identity.region }
        if identity.generation != generations.first { generation = identity.generation }
        if inProject { project = nil }
        return [project, region].compactMap { $0 }.map { "\(name: $0)" }
            + (generation.map { ["gen \(String($0.rawValue))"] } ?? [])
    }

    var places: [Wording] { [projects, regions].filter { !$0.isEmpty }.map { "\(names: $0)" } }

    var context: [Wording] {
        var parts = places
        if isMostlyOne, let usual = generations.first {
            parts.append("\(generations.count > 1 ? "mostly " : "")gen \(String(usual.rawValue))")
        } else if !generations.isEmpty {
            parts.append("gen \(generations.map { String($0.rawValue) }.joined(separator: " and "))")
        }
        return parts
    }

    /// On a command line: the name, and the options that choose this function.
    ///
    /// `namesPlace` is true if functions of that name may run in places that are not shown.
    package func arguments(for function: FunctionSummary, namesPlace: Bool = false) -> String {
        let identity = function.identity
        var (project, region, generation) = parts(identity, function.name)
        if namesPlace { (project, region) = (identity.project, identity.region) }
        return ShellWord.plain(function.key, placeholder: "FUNCTION")
            + (project.map { " --project \(ShellWord.plain($0, placeholder: "PROJECT"))" } ?? "")
            + (region.map { " --region \(ShellWord.plain($0, placeholder: "REGION"))" } ?? "")
            + (generation.map { " --set generation=\($0.rawValue)" } ?? "")
    }
}

extension Summary {
    /// Ask once: all functions are looked at.
    var names: FunctionNames { FunctionNames(functions) }

    func names(of some: [FunctionSummary]) -> [Wording] {
        let names = names
        return some.map { names[$0] }
    }

    /// The command that shows all about a function, to paste.
    func explaining(_ function: FunctionSummary) -> Wording {
        let command =
            "\(program) explain \(names.arguments(for: function, namesPlace: selection.hidesPlaces))\(typedOptions)"
        guard let inputArguments else {
            return "Why: pipe the log into \(code: command)"
        }
        return "Why: \(code: command + inputArguments)"
    }
}
