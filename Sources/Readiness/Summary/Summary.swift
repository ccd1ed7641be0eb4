public import Verifications

/// The result of a run over its inputs: what every renderer gets.
public struct Summary: Sendable {
    /// What the verdicts are judged as of; nil when nothing is dated.
    public var asOf: Instant?
    public var policy: VerdictPolicy
    public var input: InputSummary
    /// The selected functions, sorted by project, region, shown name and generation, names by their bytes.
    public var functions: [FunctionSummary]
    /// The projects of these functions, from all their verifications, selected or not.
    public var projects: [ExactName: ProjectTally]
    /// The days that stand for the bounds in time; nil where these count as they are.
    public var widenedDays: WholeDays?

    public init(
        asOf: Instant?, policy: VerdictPolicy, input: InputSummary, functions: [FunctionSummary],
        projects: [ExactName: ProjectTally] = [:]
    ) {
        self.asOf = asOf
        self.policy = policy
        self.input = input
        self.projects = projects
        self.functions = functions
        self.functions.sort { $0.sortKey < $1.sortKey }
    }
}

/// One function of a run.
public struct FunctionSummary: Sendable {
    public var identity: FunctionIdentity
    /// The name people know: of a generation 2 function the inventory's or the label's, else its service name.
    public var name: String
    public var tally: FunctionTally
    /// The verdict with its reasons.
    public var assessment: Assessment
    /// Why the function stands here: not all that are listed have been seen.
    public var listing: Listing

    public init(
        identity: FunctionIdentity, name: String, tally: FunctionTally, assessment: Assessment,
        listing: Listing = .seen
    ) {
        self.identity = identity
        self.name = name
        self.tally = tally
        self.assessment = assessment
        self.listing = listing
    }

    fileprivate var sortKey: (ExactName, ExactName, ExactName, UInt8, ExactName) {
        identity.sortKey(shownAs: name)
    }
}

extension FunctionIdentity {
    /// Where the function stands in a list.
    func sortKey(shownAs name: String) -> (ExactName, ExactName, ExactName, UInt8, ExactName) {
        (
            ExactName(project), ExactName(region), ExactName(name), generation?.rawValue ?? 0, ExactName(self.name)
        )
    }
}
