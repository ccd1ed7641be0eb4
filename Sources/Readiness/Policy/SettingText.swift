import Verifications

extension SettingKey {
    /// Reads a value: a file, the environment and the command line are read alike.
    ///
    /// A bare `1` is not a share: it could mean 1% or everything.
    ///
    /// ```swift
    /// try SettingKey.maxRefused.read("0.5%")            // .number(0.005)
    /// try SettingKey.safeNights.read("2w")              // .count(14)
    /// try SettingKey.ignoreClients.read("tool,server")  // .texts(["tool", "server"])
    /// ```
    package func read(_ text: String) throws(SettingFault) -> SettingValue {
        switch row.kind {
        case .path, .text, .glob, .reason, .date, .time, .entries:
            guard !text.isEmpty else { throw .empty }
            return .text(text)
        case .flag:
            guard let isOn = Bool(text) else { throw .notABoolean }
            return .flag(isOn)
        case .count:
            guard let count = Int(text), count >= 1 else { throw .notACount }
            return .count(count)
        case .size:
            guard let size = ByteCount(text)?.value, ByteCount.recordLimits.contains(size) else { throw .notASize }
            return .count(size)
        case .word(let words):
            guard words.contains(text) else { throw .notAWord(words) }
            return .text(text)
        case .days(let range): return .count(try days(text, in: range))
        case .share(let range): return .number(try share(text, in: range))
        case .amount:
            guard text[...].isDecimal, let amount = Double(text), amount > 0 else { throw .notAnAmount }
            return .number(amount)
        case .list: return try read(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        }
    }

    /// Reads the items of a list.
    package func read(_ items: [String]) throws(SettingFault) -> SettingValue {
        for item in items { try check(item) }
        if self == .steps {
            let steps = items.map { Double($0.hasSuffix("%") ? $0.dropLast() : $0[...]) ?? 0 }
            guard steps == Set(steps).sorted() else { throw .notAscending }
            return .texts(steps.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" })
        }
        return .texts(items)
    }

    /// Checks one item of a list.
    package func check(_ item: String) throws(SettingFault) {
        guard case .list(let kind) = row.kind else { return }
        switch kind {
        case .glob: if item.allSatisfy(\.isWhitespace) { throw .emptyGlob }
        case .client:
            guard let kind = ClientKind.allCases.first(where: { $0.name == item }) else { throw .notAClient }
            guard !kind.isOfPeople else { throw .clientOfPeople }
        case .platform: guard PlatformName(item) != nil else { throw .notAPlatform }
        case .quietDay:
            guard QuietDays.weekdayNames.contains(item) || Day(iso8601: item) != nil else { throw .notAQuietDay }
        case .percentage:
            let digits = item.hasSuffix("%") ? item.dropLast() : item[...]
            guard digits.isDecimal, let percent = Double(digits), percent > 0, percent <= 100 else {
                throw .notAscending
            }
        }
    }

    /// A value as ``read(_:)`` takes it.
    package func text(of value: SettingValue) -> String {
        switch (value, row.kind) {
        case (.texts(let texts), _): texts.joined(separator: ",")
        case (.text(let text), _): text
        case (.flag(let isOn), _): "\(isOn)"
        case (.count(let count), .days): "\(count)d"
        case (.count(let count), .size): ByteCount(count).description
        case (.count(let count), _): "\(count)"
        case (.number(let share), .share):
            // A percentage, to seven digits after the point.
            "\((share * 1e9).rounded() / 1e7)%".replacing(".0%", with: "%")
        case (.number(let amount), _): Int(exactly: amount).map { "\($0)" } ?? "\(amount)"
        }
    }

    /// How a file gives the example.
    package var exampleInFile: String {
        guard case .list = row.kind, row.example.contains(",") else { return quoted(row.example[...]) }
        return "[\(row.example.split(separator: ",").map(quoted).joined(separator: ", "))]"
    }

    private func quoted(_ text: Substring) -> String { text.contains("*") ? "\"\(text)\"" : String(text) }

    /// Digits with `%` after them, or a decimal point in them, or both; the nearest `Double`: `0.7%` is `0.007`.
    private func share(_ text: String, in range: Range<Double>) throws(SettingFault) -> Double {
        let isPercentage = text.hasSuffix("%")
        let digits = isPercentage ? text.dropLast().trimmingSpaces : text[...]
        let hasPoint = digits.contains(".")
        // The point is moved in the text: dividing by 100 would round a second time.
        guard digits.isDecimal, let share = Double(isPercentage || !hasPoint ? "\(digits)e-2" : String(digits)) else {
            throw .notAShare
        }
        guard range.contains(share) else { throw .shareOutOfRange(range) }
        guard isPercentage || hasPoint else { throw .noUnit(digits: String(digits)) }
        return share
    }

    /// `7d` or `7`, or `2w`.
    private func days(_ text: String, in range: ClosedRange<Int>) throws(SettingFault) -> Int {
        let isInWeeks = text.hasSuffix("w")
        let digits = isInWeeks || text.hasSuffix("d") ? text.dropLast() : text[...]
        guard digits.wholeMatch(of: #/[0-9]+/#) != nil else { throw .notANumberOfDays }
        guard let count = Int(digits), range.contains(count), range.contains(isInWeeks ? 7 * count : count) else {
            throw .daysOutOfRange(range)
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

/// Why a value cannot be taken as it is written, and how it is; the caller names the key, and nobody repeats the value.
package struct SettingFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    private init(_ description: String) { self.description = description }

    static let empty = SettingFault("must not be empty")
    package static let emptyGlob = SettingFault("must not be empty, as it would match nothing")
    package static let notABoolean = SettingFault("must be true or false, without quotes")
    static let notACount = SettingFault("must be a whole number of at least 1")
    static let notASize = SettingFault("must be a number of bytes below 4G, such as 16M")
    package static let notAShare = SettingFault(
        "not a share; write a percentage such as 1%, or a fraction such as 0.01")
    package static let notANumberOfDays = SettingFault("not a number of days; write it as 7d or 7")
    static let notAnAmount = SettingFault("must be a number above 0, such as 1 or 0.5")
    static let notAClient = SettingFault(
        "not a kind of client; the kinds are "
            + ClientKind.allCases.filter { !$0.isOfPeople }.map(\.name).joined(separator: ", "))
    static let clientOfPeople = SettingFault(
        "people use such clients, so their requests cannot be left out; what may be refused goes into accept-platforms")
    static let notAPlatform = SettingFault(
        "not a platform; write ios, web, web/firefox, www.example.com, com.example.app or com.example.app@3.1.0")
    package static let notAQuietDay = SettingFault("must be weekdays and dates; write sat, sun or 2026-12-25")
    static let notAscending = SettingFault("must be percentages in ascending order, such as 1,5,10,25,50,100")

    static func notAWord(_ words: [String]) -> SettingFault {
        SettingFault("must be one of \(words.joined(separator: ", "))")
    }

    package static func noUnit(digits: String) -> SettingFault {
        let fraction = Double(digits + "e-2").map { " or \($0)" } ?? ""
        return SettingFault("a share needs % or a decimal point; write \(digits)%" + fraction)
    }

    package static func shareOutOfRange(_ range: Range<Double>) -> SettingFault {
        SettingFault(
            range.lowerBound < 0.5
                ? "must be above 0% and below 100%, and not less than a billionth"
                : "must be at least 50% and below 100%")
    }

    package static func daysOutOfRange(_ range: ClosedRange<Int>) -> SettingFault {
        SettingFault("must be from \(range.lowerBound) to \(range.upperBound) days")
    }
}
