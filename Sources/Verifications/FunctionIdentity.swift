/// What tells one callable function from another.
///
/// Generation 1 is named by `function_name` and `region`. Generation 2 is grouped by `service_name` and `location`,
/// which have lost case and underscores; the name people know is kept beside the identity, not in it.
/// What a log does not say is ``unknown``, with no generation. Names are equal as ``ExactName`` has it.
public struct FunctionIdentity: Hashable, Sendable {
    /// Stands for a project, region or name that the log does not give.
    public static let unknown = "-"

    public let project: String
    public let region: String
    /// `function_name` (generation 1) or `service_name` (generation 2).
    public let name: String
    public let generation: Generation?

    public init(project: String, region: String, name: String, generation: Generation?) {
        self.project = project
        self.region = region
        self.name = name
        self.generation = generation
    }

    /// Holds everything beyond the limit on distinct functions.
    public static let pooled = FunctionIdentity(
        project: unknown, region: unknown, name: "(other)", generation: nil
    )

    /// A name as Cloud Run spells it: lower case, dashes for underscores.
    ///
    /// Two names that are equal after this, as ``ExactName`` has it, are names of one function.
    public static func normalized(_ name: String) -> String {
        String(String.UnicodeScalarView(name.lowercased().unicodeScalars.map { $0 == "_" ? "-" : $0 }))
    }

    public static func == (left: FunctionIdentity, right: FunctionIdentity) -> Bool {
        left.generation == right.generation && ExactName(left.name) == ExactName(right.name)
            && ExactName(left.region) == ExactName(right.region)
            && ExactName(left.project) == ExactName(right.project)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactName(project))
        hasher.combine(ExactName(region))
        hasher.combine(ExactName(name))
        hasher.combine(generation)
    }
}
