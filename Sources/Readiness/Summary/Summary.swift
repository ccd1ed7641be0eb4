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
    public var projects: [ExactName: ProjectEvidence]
    /// Quiet functions of these projects, judged together, selected or not.
    public var groups: [FunctionGroup]
    /// The days that stand for the bounds in time; nil where these count as they are.
    public var widenedDays: WholeDays?
    /// The newest day with counts of a history of an older callcheck, which did not keep what they rest on.
    public var lastDayOfUnknownProvenance: Day?

    public init(
        asOf: Instant?, policy: VerdictPolicy, input: InputSummary, functions: [FunctionSummary],
        projects: [ExactName: ProjectEvidence] = [:], groups: [FunctionGroup] = []
    ) {
        self.asOf = asOf
        self.policy = policy
        self.input = input
        self.projects = projects
        self.groups = groups
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
    public var assessment: Assessment {
        get { answer.assessment }
        set { answer = Answer(newValue) }
    }
    /// Why the function stands here: not all that are listed have been seen.
    public var listing: Listing

    private var answer: Answer

    public init(
        identity: FunctionIdentity, name: String, tally: FunctionTally, assessment: Assessment,
        listing: Listing = .seen
    ) {
        self.identity = identity
        self.name = name
        self.tally = tally
        self.listing = listing
        answer = Answer(assessment)
    }

    /// An assessment behind a reference: it is large, and reports sort and filter functions, of which there may be
    /// very many.
    private final class Answer: Sendable {
        let assessment: Assessment

        init(_ assessment: Assessment) {
            self.assessment = assessment
        }
    }

    /// Where the function stands in a list.
    fileprivate var sortKey: (ExactName, ExactName, ExactName, UInt8, ExactName) {
        (
            ExactName(identity.project), ExactName(identity.region), ExactName(name),
            identity.generation?.rawValue ?? 0, ExactName(identity.name)
        )
    }
}
