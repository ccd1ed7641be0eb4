/// The shares of a policy: numbers that are written with `%` or with a decimal point.
///
/// A policy file and the command line read them alike. A bare `1` is refused: nobody can say whether it means 1 % or
/// everything.
///
/// ```swift
/// try PolicyShare.maxBlocked.read("0.5%")  // 0.005
/// try PolicyShare.confidence.read("0.95")  // 0.95
/// ```
package enum PolicyShare: String, CaseIterable, Sendable {
    case maxBlocked = "max-blocked"
    case confidence

    /// What the share may be.
    ///
    /// No number of clean requests can show a rate of 0, and 10⁻⁹ would want three billion of them. Below one half a
    /// one-sided bound lies on the wrong side of what was seen.
    var range: Range<Double> {
        switch self {
        case .maxBlocked: 1e-9..<1
        case .confidence: 0.5..<1
        }
    }

    /// Reads a share: digits with `%` after them, or with a decimal point in them, or both.
    ///
    /// - Returns: The nearest `Double` to what is written, whichever way: `0.7%` is `0.007`.
    package func read(_ text: String) throws(PolicyNumberFault) -> Double {
        let isPercentage = text.hasSuffix("%")
        let digits = isPercentage ? text.dropLast().trimmingSpaces : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard
            digits.utf8.count <= 32, (1...2).contains(parts.count), parts.allSatisfy(\.isDigits), parts.last != "",
            // The point is moved in the text: dividing by 100 would round a second time.
            let share = Double(isPercentage || parts.count == 1 ? "\(digits)e-2" : String(digits))
        else { throw .notAShare }
        guard range.contains(share) else { throw .shareOutOfRange(self) }
        guard isPercentage || parts.count == 2 else { throw .noUnit(digits: String(digits)) }
        return share
    }
}

extension Substring {
    /// True when there is nothing but ASCII digits.
    var isDigits: Bool { utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }

    fileprivate var trimmingSpaces: Substring {
        self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
    }
}

/// The lengths in days of a policy, written `7d` or `7`.
///
/// A policy file and the command line read them alike.
package enum PolicyDays: String, CaseIterable, Sendable {
    case minDays = "min-days"
    case window
    case maxWindow = "max-window"
    case confirm
    /// How long a store recognizes entries.
    case retention

    /// The longest time that Cloud Logging keeps a log, in days.
    ///
    /// <https://cloud.google.com/logging/quotas#logs_retention_periods>
    static let longest = 3650

    /// What the length may be.
    var range: ClosedRange<Int> {
        switch self {
        case .minDays: 0...PolicyDays.longest
        case .retention: 1...36_500
        case .window, .maxWindow, .confirm: 1...PolicyDays.longest
        }
    }

    /// Reads a number of days.
    package func read(_ text: String) throws(PolicyNumberFault) -> Int {
        let digits = text.hasSuffix("d") ? text.dropLast() : text[...]
        guard !digits.isEmpty, digits.isDigits else { throw .notANumberOfDays }
        guard let days = Int(digits), range.contains(days) else { throw .daysOutOfRange(self) }
        return days
    }
}

/// A number of bytes: `65536`, `64K`, `16M`, `1G`, optionally followed by `iB` or `B`.
///
/// A settings file and the command line read them alike.
package struct ByteCount: Hashable, Sendable {
    package let value: Int

    package init(_ value: Int) {
        self.value = value
    }

    package init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let shift: Int
        switch text.dropFirst(digits.count).lowercased() {
        case "", "b": shift = 0
        case "k", "kb", "kib": shift = 10
        case "m", "mb", "mib": shift = 20
        case "g", "gb", "gib": shift = 30
        default: return nil
        }
        guard number <= Int.max >> shift else { return nil }
        value = number << shift
    }

    /// How long a record may be at most.
    package static let recordLimits = 1..<1 << 32
}

/// Why a number of a policy cannot be taken as it is written, in a file or after a flag.
package enum PolicyNumberFault: Error, Hashable, Sendable {
    /// A whole number where a share should be, without `%`.
    case noUnit(digits: String)
    case notAShare
    case shareOutOfRange(PolicyShare)
    case notANumberOfDays
    case daysOutOfRange(PolicyDays)
}
