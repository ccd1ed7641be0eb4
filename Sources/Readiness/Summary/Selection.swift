public import Verifications

/// Which functions are shown and judged; it never changes a verdict.
public struct Selection: Hashable, Sendable {
    /// Each list selects all when it is empty, else what any of its patterns matches.
    public var projects: [Glob]
    public var regions: [Glob]
    public var functions: [Glob]

    public init(projects: [Glob] = [], regions: [Glob] = [], functions: [Glob] = []) {
        self.projects = projects
        self.regions = regions
        self.functions = functions
    }

    /// True when the function is shown; patterns match the shown name or the service name.
    public func includes(_ identity: FunctionIdentity, shownAs name: String) -> Bool {
        includes(project: identity.project) && isMatched(regions, [identity.region])
            && isMatched(functions, [name, identity.name])
    }

    func includes(project: String) -> Bool {
        isMatched(projects, [project])
    }

    private func isMatched(_ patterns: [Glob], _ names: [String]) -> Bool {
        patterns.isEmpty || patterns.contains { pattern in names.contains { pattern.matches($0) } }
    }
}
