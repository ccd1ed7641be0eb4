/// The lengths in days of a policy, written `7d` or `7`.
///
/// A policy file and the command line read them alike.
public enum PolicyDays: String, CaseIterable, Sendable {
    case minDays = "min-days"
    case window
    case maxWindow = "max-window"
    case confirm

    /// The longest time that Cloud Logging keeps a log, in days.
    ///
    /// <https://cloud.google.com/logging/quotas#logs_retention_periods>
    static let longest = 3650

    /// What the length may be.
    var range: ClosedRange<Int> {
        self == .minDays ? 0...PolicyDays.longest : 1...PolicyDays.longest
    }

    /// Reads a number of days.
    public func read(_ text: String) throws(PolicyNumberFault) -> Int {
        let digits = text.hasSuffix("d") ? text.dropLast() : text[...]
        guard !digits.isEmpty, digits.isDigits else { throw .noDays }
        guard let days = Int(digits), range.contains(days) else { throw .daysOutOfRange(self) }
        return days
    }
}
