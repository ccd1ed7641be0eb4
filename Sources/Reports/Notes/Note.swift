import Readiness
import Verifications

/// Something about an input that could mislead whoever reads its counts.
enum Note: Hashable {
    /// There is nothing to show.
    case nothingFound(NothingFound)
    /// Compression that is damaged, or an input that cannot be read at all.
    case unreadable(Problem)
    /// A value of another family in the middle of a source.
    case unexpectedContainer(Problem)
    /// An array that ends without its bracket.
    case unterminatedArray(Problem)
    /// Problems that are counted and not listed.
    case moreProblems(Problem)
    case malformed(count: Int, first: Problem?)
    case oversized(count: Int, first: Problem?)
    /// Verifications of functions beyond the limit, counted together.
    case pooled(count: Int)
    /// Verifications that do not say of which function they are.
    case unnamed(count: Int)
    /// Verifications of named functions that do not say where these are deployed.
    case unplaced(count: Int)
    /// Functions of which only failed verifications were read.
    case passesNotSeen(functions: [String])
    /// A project whose generation 2 functions show no failure, and of whose error stream nothing was read.
    case failuresNotSeen(project: String)
    /// Functions that an inventory names and nobody calls.
    case notCalled(functions: [String])
    /// An input of hardly more than a day, `gcloud`'s default.
    case shortSpan(first: Instant, last: Instant)
    /// Days inside a project's span on which it has no verification.
    case gaps(project: String, gaps: [ClosedRange<Day>])
    /// Functions whose passes were seen at INFO only.
    case passesAtInfo(functions: [String])
    /// Functions that are enforced by policy, and of which the log shows that enforcement is off.
    case enforcementOff(functions: [String])
    /// Functions of which the log shows that enforcement is on, and the policy does not say so.
    case enforcementOn(functions: [String])
    /// Functions of which most refused tokens are placeholders of iOS apps: App Attest may be on its way.
    case rolloutLikely(functions: [String])
    /// Verifications with a status that the SDK does not write.
    case otherStatuses(count: Int, functions: [String])
    /// Verifications of days after the one that is judged as of.
    case afterAsOf(count: Int, asOf: Day)
    case undated(count: Int)
    /// Dated verifications of more days than a function keeps.
    case daysPooled(count: Int)
    case ignored(count: Int)
    case duplicates(count: Int)
    case filtered(count: Int)
    /// The newest day in a window with counts of which a history does not know what they rest on.
    case unknownProvenance(through: Day)
    /// Sources of snapshots without fingerprints, next to others.
    case copiesNotSeen(sources: Int)
    /// Results of queries that have counted.
    case counts(sources: Int)
    /// Bounds in time that lie within days, of what knows no more than days: a history, a snapshot, counts.
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
