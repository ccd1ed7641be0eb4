/// Verifications of one function that were not counted, because its own code may have written them: functions commonly
/// log what clients send.
public struct Discarded: Hashable, Sendable {
    /// Without a label, in a function whose SDK writes labels.
    public var unlabelled: Int
    /// Those among them that are no copies of each other.
    public var unlabelledDistinct: Int
    /// Labelled verifications outside the time that counts, which stand against these.
    public var labelledOutside: Int
    /// Labelled, but the message is not the SDK's or contradicts the statuses.
    public var otherMessage: Int
    /// A second one of the same execution; the SDK logs one.
    public var repeated: Int

    public init(
        unlabelled: Int = 0, unlabelledDistinct: Int = 0, labelledOutside: Int = 0, otherMessage: Int = 0,
        repeated: Int = 0
    ) {
        self.unlabelled = unlabelled
        self.unlabelledDistinct = unlabelledDistinct
        self.labelledOutside = labelledOutside
        self.otherMessage = otherMessage
        self.repeated = repeated
    }

    public mutating func merge(_ other: Discarded) {
        unlabelled += other.unlabelled
        unlabelledDistinct += other.unlabelledDistinct
        labelledOutside += other.labelledOutside
        otherMessage += other.otherMessage
        repeated += other.repeated
    }
}
