/// What a store says of itself.
package struct StoreContents: Sendable {
    package struct Input: Sendable {
        package var file: SourceFile
        package var addedAt: Instant
        package var summary: InputSummary
        /// Verifications of days that are kept, copies among them.
        package var verifications: Int
        /// True when none of its days is kept any more.
        package var isGone: Bool

        package init(file: SourceFile, addedAt: Instant, summary: InputSummary, verifications: Int, isGone: Bool) {
            (self.file, self.addedAt, self.summary) = (file, addedAt, summary)
            (self.verifications, self.isGone) = (verifications, isGone)
        }
    }

    package var bytes = 0
    package var functions = 0
    package var retentionDays = 0
    /// The first day that is kept, of each project of which something was deleted.
    package var firstDays: [(project: String, day: Day)] = []
    package var days: [(day: Day, verifications: Int, functions: Int)] = []
    package var dayless = 0
    /// In the order in which they were added, and of their names.
    package var inputs: [Input] = []

    package init() {}
}
