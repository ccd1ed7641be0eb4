import Readiness
import Verifications

/// Something about an input that could mislead readers of its counts.
enum Note: Hashable {
    case nothingFound(NothingFound)
    case unreadable(Problem)
    /// A value of another family in the middle of a source.
    case unexpectedContainer(Problem)
    case unterminatedArray(Problem)
    case moreProblems(Problem)
    case malformed(count: Int, first: Problem?)
    case oversized(count: Int, first: Problem?)
    /// What may stand in bytes that were not read; nil where nobody can tell how many requests.
    case unread(requests: Int?)
    case unnamed(count: Int)
    /// Verifications that name their function but not where it is deployed.
    case unplaced(count: Int)
    case passesNotSeen(functions: [Wording])
    /// A project whose generation 2 functions show no failure, and of whose error stream nothing was read.
    case failuresNotSeen(project: String)
    case notCalled(functions: [Wording])
    /// An input that covers hardly more than a day, `gcloud`'s default.
    case shortSpan(first: Instant, last: Instant)
    /// Days inside a project's span on which it has no verification.
    case gaps(project: String, gaps: [ClosedRange<Day>])
    case passesAtInfo(functions: [Wording])
    /// Functions that are enforced by policy although the log shows that enforcement is off.
    case enforcementOff(functions: [Wording])
    /// Functions whose enforcement seems to be on, though the policy does not say so.
    case enforcementOn(functions: [Wording])
    /// A function that is enforced by what the log shows, and what the policy lacks.
    case enforcedByLog(function: Wording, MissingEntry)
    case otherStatuses(count: Int, functions: [Wording])
    case afterAsOf(count: Int, asOf: Day)
    case undated(count: Int)
    /// Dated verifications on more days than a function keeps.
    case daysPooled(count: Int)
    case ignored(count: Int)
    /// Entries that the functions' own code may have written.
    case discarded(Discarded, functions: [Wording])
    case duplicates(count: Int)
    case filtered(count: Int)
    case counts(sources: Int)
    /// Bounds in time that fall within days, for sources that only know whole days: a history, a snapshot, counts.
    case wholeDays(WholeDays)
    case assumeComplete(AssumeComplete)
    /// Requests of clients that the policy leaves out.
    case leftOut(count: Int, kinds: [ClientKind])
    /// Nobody asked who called, so no platform was looked at.
    case callersNotRead
    /// Platforms that may be refused, as the user said, and would be.
    case accepted([Wording])
    /// Functions that are ready by a number of requests a week instead of a share.
    case few([Wording])
    /// Functions with bad days that did not decide.
    case recentTrouble([Wording])
    /// Functions that are safe, though hardly anything is known of those who would be refused.
    case callersUnknown(functions: [Wording])

    /// True for a caution that the answer of a gate does not give as well.
    var isNews: Bool {
        switch self {
        case .leftOut, .callersNotRead, .callersUnknown, .accepted, .few, .recentTrouble: false
        default: isCaution
        }
    }

    /// True when counts or shares may be wrong because of it; else the note only explains them.
    var isCaution: Bool {
        switch self {
        case .duplicates, .filtered, .wholeDays, .ignored, .discarded, .unterminatedArray, .passesAtInfo, .notCalled,
            .enforcementOn:
            false
        default: true
        }
    }
}
