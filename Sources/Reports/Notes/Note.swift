import Readiness
import Verifications

/// Something about an input that could mislead readers of its counts.
enum Note: Hashable {
    /// There is nothing to show.
    case nothingFound(NothingFound)
    /// Compression that is damaged, or an input that cannot be read at all.
    case unreadable(Problem)
    /// A value of another family in the middle of a source.
    case unexpectedContainer(Problem)
    /// An array that ends without its bracket.
    case unterminatedArray(Problem)
    /// Problems that are counted but not listed.
    case moreProblems(Problem)
    case malformed(count: Int, first: Problem?)
    case oversized(count: Int, first: Problem?)
    /// Verifications of functions beyond the limit, counted together.
    case pooled(count: Int)
    /// Verifications that do not name their function.
    case unnamed(count: Int)
    /// Verifications that name their function but not where it is deployed.
    case unplaced(count: Int)
    /// Functions of which only failed verifications were read.
    case passesNotSeen(functions: [String])
    /// A project whose generation 2 functions show no failure, and of whose error stream nothing was read.
    case failuresNotSeen(project: String)
    /// Functions that an inventory names and nobody calls.
    case notCalled(functions: [String])
    /// An input that covers hardly more than a day, `gcloud`'s default.
    case shortSpan(first: Instant, last: Instant)
    /// Days inside a project's span on which it has no verification.
    case gaps(project: String, gaps: [ClosedRange<Day>])
    /// Functions whose passes were seen at INFO only.
    case passesAtInfo(functions: [String])
    /// Functions that are enforced by policy although the log shows that enforcement is off.
    case enforcementOff(functions: [String])
    /// Functions whose enforcement is on according to the log but not to the policy.
    case enforcementOn(functions: [String])
    /// Functions most of whose refused tokens are placeholders from iOS apps: App Attest may be rolling out.
    case rolloutLikely(functions: [String])
    /// Verifications with a status that the SDK does not write.
    case otherStatuses(count: Int, functions: [String])
    /// Verifications from days after the as-of day.
    case afterAsOf(count: Int, asOf: Day)
    case undated(count: Int)
    /// Dated verifications on more days than a function keeps.
    case daysPooled(count: Int)
    case ignored(count: Int)
    case duplicates(count: Int)
    case filtered(count: Int)
    /// The newest day in a window whose counts have an origin that the history does not know.
    case unknownProvenance(through: Day)
    /// Sources of snapshots without fingerprints, next to others.
    case copiesNotSeen(sources: Int)
    /// Results of queries that have counted.
    case counts(sources: Int)
    /// Bounds in time that fall within days, for sources that only know whole days: a history, a snapshot, counts.
    case wholeDays(WholeDays)
    case assumeComplete(AssumeComplete)

    /// True when counts or shares may be wrong because of it; else the note only explains them.
    var isCaution: Bool {
        switch self {
        case .duplicates, .filtered, .wholeDays, .ignored, .unterminatedArray, .passesAtInfo, .notCalled,
            .enforcementOn:
            false
        default: true
        }
    }
}
