/// Why a number of a policy cannot be taken as it is written, in a file or behind a flag.
public enum PolicyNumberFault: Error, Hashable, Sendable {
    /// A whole number where a share should be, without `%`.
    case noUnit(digits: String)
    case noShare
    case shareOutOfRange(PolicyShare)
    case noDays
    case daysOutOfRange(PolicyDays)
}
