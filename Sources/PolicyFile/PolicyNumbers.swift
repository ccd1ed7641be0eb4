import Readiness
import Verifications

extension PolicyKey {
    /// Reads a share or a number of days; a file and the command line are read alike.
    ///
    /// A bare `1` is no share: nobody can say whether it means 1 % or everything.
    ///
    /// ```swift
    /// try PolicyKey.maxBlocked.read("0.5%")  // .share(0.005)
    /// try PolicyKey.confidence.read("0.95")  // .share(0.95)
    /// try PolicyKey.confirm.read("2w")       // .count(14)
    /// ```
    package func read(_ text: String) throws(PolicyValueFault) -> SettingValue {
        switch row.kind {
        case .share(let range): .share(try share(text, in: range))
        case .days(let range): .count(try days(text, in: range))
        case .amount: .amount(try amount(text))
        default: preconditionFailure("\(rawValue) is no number")
        }
    }

    package func checkItem(_ text: String) throws(PolicyValueFault) {
        guard self == .ignoreClients else {
            guard PlatformName(text) != nil else { throw .notAPlatform }
            return
        }
        guard let kind = ClientKind.allCases.first(where: { $0.name == text }) else { throw .notAClient }
        guard !kind.isOfPeople else { throw .clientOfPeople }
    }

    /// Digits, with or without a decimal point.
    private func amount(_ text: String) throws(PolicyValueFault) -> Double {
        guard text[...].isDecimal, let amount = Double(text), amount > 0 else { throw .notAnAmount }
        return amount
    }

    /// Digits with `%` after them, or a decimal point in them, or both; the nearest `Double`: `0.7%` is `0.007`.
    private func share(_ text: String, in range: Range<Double>) throws(PolicyValueFault) -> Double {
        let isPercentage = text.hasSuffix("%")
        let digits = isPercentage ? text.dropLast().trimmingSpaces : text[...]
        let hasPoint = digits.contains(".")
        // The point is moved in the text: dividing by 100 would round a second time.
        guard digits.isDecimal, let share = Double(isPercentage || !hasPoint ? "\(digits)e-2" : String(digits)) else {
            throw .notAShare
        }
        guard range.contains(share) else { throw .shareOutOfRange(self) }
        guard isPercentage || hasPoint else { throw .noUnit(digits: String(digits)) }
        return share
    }

    /// `7d` or `7`, or `2w`.
    private func days(_ text: String, in range: ClosedRange<Int>) throws(PolicyValueFault) -> Int {
        let isInWeeks = text.hasSuffix("w")
        let digits = isInWeeks || text.hasSuffix("d") ? text.dropLast() : text[...]
        guard digits.wholeMatch(of: #/[0-9]+/#) != nil else { throw .notANumberOfDays }
        guard let count = Int(digits), range.contains(count), range.contains(isInWeeks ? 7 * count : count) else {
            throw .daysOutOfRange(self)
        }
        return isInWeeks ? 7 * count : count
    }
}

extension Substring {
    fileprivate var isDecimal: Bool { utf8.count <= 32 && wholeMatch(of: #/(?:[0-9]*\.)?[0-9]+/#) != nil }

    fileprivate var trimmingSpaces: Substring {
        self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
    }
}

/// A number of bytes: `65536`, `64K`, `16M`, `1G`, optionally followed by `iB` or `B`.
package struct ByteCount: Hashable, Sendable, CustomStringConvertible {
    package let value: Int

    package init(_ value: Int) { self.value = value }

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

    package var description: String { value % (1 << 20) == 0 ? "\(value >> 20)M" : "\(value)" }

    package static let recordLimits = 1..<1 << 32
}

/// Why a value of a policy cannot be taken as it is written, in a file or after a flag.
package enum PolicyValueFault: Error, Hashable, Sendable {
    case noUnit(digits: String)
    case notAShare
    case shareOutOfRange(PolicyKey)
    case notANumberOfDays
    case daysOutOfRange(PolicyKey)
    case notAnAmount
    case notAClient
    case clientOfPeople
    case notAPlatform
}
