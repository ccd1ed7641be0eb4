package import Verifications

/// Verifications of one function that were not counted, because its own code may have written them: functions commonly
/// log what clients send.
package struct Discarded: Hashable, Sendable {
    /// Without a label, in a function whose SDK writes labels.
    package var unlabelled: Int
    /// The unlabelled verifications that are not duplicates of each other.
    package var unlabelledDistinct: Int
    /// Labelled verifications outside the time that counts, which argue against these.
    package var labelledOutside: Int
    /// Labelled, but the message is not the SDK's or contradicts the statuses.
    package var otherMessage: Int
    /// A second one of the same execution; the SDK logs one.
    package var repeated: Int
    /// Verifications that would be blocked, and others like them, of sources of which nothing else counts.
    package var mayBeBlocked: [Kind: Int] = [:]
    /// Days on which one log may be there in two shapes, and count twice.
    package var twoShapes: Set<Day> = []

    package struct Kind: Hashable, Codable, Sendable {
        /// The day of the source's newest entry.
        package var day: Day?
        package var isSignedIn = false

        package init(day: Day? = nil, isSignedIn: Bool = false) { (self.day, self.isSignedIn) = (day, isSignedIn) }
    }

    package init(
        unlabelled: Int = 0, unlabelledDistinct: Int = 0, labelledOutside: Int = 0, otherMessage: Int = 0,
        repeated: Int = 0
    ) {
        self.unlabelled = unlabelled
        self.unlabelledDistinct = unlabelledDistinct
        self.labelledOutside = labelledOutside
        self.otherMessage = otherMessage
        self.repeated = repeated
    }

    package var total: Int { unlabelled + otherMessage + repeated }

    package mutating func merge(_ other: Discarded) {
        unlabelled += other.unlabelled
        unlabelledDistinct += other.unlabelledDistinct
        labelledOutside += other.labelledOutside
        otherMessage += other.otherMessage
        repeated += other.repeated
        mayBeBlocked.merge(other.mayBeBlocked, uniquingKeysWith: +)
        twoShapes.formUnion(other.twoShapes)
    }
}
