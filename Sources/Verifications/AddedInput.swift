/// What adding one input to a store came to.
package struct AddedInput: Sendable {
    package var name: String
    /// True if the store has the same already, under any name.
    package var isKnown = false
    /// Its verifications were added, its duplicates are copies of what the store has, its filtered ones are too old.
    package var summary: InputSummary
    /// The number of days that it has.
    package var days: Int
    /// The first day that is kept, where some of it is too old.
    package var firstDay: Day?

    package init(name: String, summary: InputSummary = InputSummary(), days: Int = 0) {
        (self.name, self.summary, self.days) = (name, summary, days)
    }
}
