import Verifications

/// How the values of a setting are written: a file, the environment and the command line are read alike.
package struct Notation<Value: Sendable>: Sendable {
    let form: SettingKey.Form
    /// Reads the items of a list, or the one text of anything else.
    let read: @Sendable ([String]) throws(SettingFault) -> Value
    let text: @Sendable (Value) -> String

    private init(
        _ form: SettingKey.Form = .plain, _ text: @escaping @Sendable (Value) -> String,
        _ read: @escaping @Sendable (String) throws(SettingFault) -> Value
    ) {
        (self.form, self.text) = (form, text)
        self.read = { items throws(SettingFault) in try read(items.joined(separator: ",")) }
    }

    /// One with a single fault; `read` returns nil for that.
    fileprivate init(
        _ form: SettingKey.Form = .plain, else fault: SettingFault, _ text: @escaping @Sendable (Value) -> String,
        _ read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(form, text) { item throws(SettingFault) in
            guard let value = read(item) else { throw fault }
            return value
        }
    }

    fileprivate init(
        list text: @escaping @Sendable (Value) -> [String],
        _ read: @escaping @Sendable ([String]) throws(SettingFault) -> Value
    ) {
        (form, self.read) = (.list, read)
        self.text = { text($0).joined(separator: ",") }
    }
}

extension Notation where Value == String {
    static let text = Notation(else: .empty, \.self) { $0.isEmpty ? nil : $0 }
    static let path = Notation(.path, else: .empty, \.self) { $0.isEmpty ? nil : $0 }
    /// Why a function is exempt, in words, so that a reader understands it next year.
    static let reason = Notation(.reason, else: .noReason, \.self) { $0.allSatisfy(\.isWhitespace) ? nil : $0 }

    static func word(_ words: [String]) -> Notation {
        Notation(else: .notAWord(words), \.self) { words.contains($0) ? $0 : nil }
    }
}

extension Notation where Value: RawRepresentable<String> & CaseIterable {
    static func word() -> Notation {
        Notation(else: .notAWord(Value.allCases.map(\.rawValue)), \.rawValue) { Value(rawValue: $0) }
    }
}

extension Notation where Value == Bool {
    static let flag = Notation(.flag, else: .notABoolean, { "\($0)" }) { Bool($0) }
}

extension Notation where Value == Int {
    static let count = Notation(else: .notACount, { "\($0)" }) { Int($0).flatMap { $0 >= 1 ? $0 : nil } }
    /// In bytes.
    static let size = Notation(else: .notASize, { ByteCount($0).description }) { text in
        (ByteCount(text)?.value).flatMap { ByteCount.recordLimits.contains($0) ? $0 : nil }
    }

    /// `7d` or `7`, or `2w`; at most the longest time that Cloud Logging keeps a log
    /// (<https://cloud.google.com/logging/quotas>).
    static func days(_ range: ClosedRange<Int> = 1...3650) -> Notation {
        Notation(.plain, { "\($0)d" }) { text throws(SettingFault) in
            let isInWeeks = text.hasSuffix("w")
            let digits = isInWeeks || text.hasSuffix("d") ? text.dropLast() : text[...]
            guard digits.wholeMatch(of: #/[0-9]+/#) != nil else { throw .notANumberOfDays }
            guard let count = Int(digits), range.contains(count), range.contains(isInWeeks ? 7 * count : count) else {
                throw .daysOutOfRange(range)
            }
            return isInWeeks ? 7 * count : count
        }
    }
}

extension Notation where Value == Double {
    // No number of clean requests can show a rate of 0, and 10⁻⁹ would want three billion of them.
    static let rate = share(1e-9..<1)
    static let amount = Notation(else: .notAnAmount, { Int(exactly: $0).map { "\($0)" } ?? "\($0)" }) { text in
        text[...].isDecimal ? Double(text).flatMap { $0 > 0 ? $0 : nil } : nil
    }

    /// Digits with `%` after them, or a decimal point in them, or both; the nearest `Double`: `0.7%` is `0.007`.
    ///
    /// A bare `1` is not a share: it could mean 1% or everything. A percentage has up to seven digits after the point.
    static func share(_ range: Range<Double>) -> Notation {
        Notation(.plain, { "\(($0 * 1e9).rounded() / 1e7)%".replacing(".0%", with: "%") }) {
            text throws(SettingFault) in
            let isPercentage = text.hasSuffix("%")
            let digits = isPercentage ? text.dropLast().trimmedAtEnd : text[...]
            let hasPoint = digits.contains(".")
            // The point is moved in the text: dividing by 100 would round a second time.
            guard digits.isDecimal, let share = Double(isPercentage || !hasPoint ? "\(digits)e-2" : String(digits))
            else { throw .notAShare }
            guard range.contains(share) else { throw .shareOutOfRange(range) }
            guard isPercentage || hasPoint else { throw .noUnit(digits: String(digits)) }
            return share
        }
    }
}

extension Notation where Value == Glob {
    static let glob = Notation(else: .emptyGlob, \.pattern) { $0.allSatisfy(\.isWhitespace) ? nil : Glob($0) }
}

extension Notation where Value == [Glob] {
    static let globs = Notation(list: { $0.map(\.pattern) }) { items throws(SettingFault) in
        guard !items.isEmpty, !items.contains(where: { $0.allSatisfy(\.isWhitespace) }) else { throw .emptyGlob }
        return items.map { Glob($0) }
    }
}

extension Notation where Value == Day {
    static let date = Notation(else: .notADate, \.description) { Day(iso8601: $0) }
}

extension Notation where Value == EnforcementTime {
    /// A date, or an instant with or without seconds.
    static let time = Notation(else: .notATime, \.text) { text in
        Day(iso8601: text).map { .date($0) } ?? Instant(typed: text).map { .instant($0) }
    }
}

extension Notation where Value == Set<ClientKind> {
    static let clients = Notation(list: { $0.sorted().map(\.name) }) { items throws(SettingFault) in
        let kinds = items.compactMap { item in ClientKind.allCases.first { $0.name == item } }
        guard kinds.count == items.count else { throw .notAClient }
        guard !kinds.contains(where: \.isOfPeople) else { throw .clientOfPeople }
        return Set(kinds)
    }
}

extension Notation where Value == [PlatformName] {
    static let platforms = Notation(list: { $0.map(\.text) }) { items throws(SettingFault) in
        let names = items.compactMap { PlatformName($0) }
        guard names.count == items.count else { throw .notAPlatform }
        return names
    }
}

extension Notation where Value == QuietDays {
    /// From Monday on.
    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    static let quietDays = Notation(
        list: { $0.weekdays.sorted().map { weekdays[$0] } + $0.dates.sorted().map(\.description) }
    ) { items throws(SettingFault) in
        let days = QuietDays(
            weekdays: Set(items.compactMap { weekdays.firstIndex(of: $0) }),
            dates: Set(items.compactMap { Day(iso8601: $0) }))
        guard items.allSatisfy({ weekdays.contains($0) || Day(iso8601: $0) != nil }) else { throw .notAQuietDay }
        return days
    }
}

extension Notation where Value == [Double] {
    /// Percentages in ascending order, with `%` or without.
    static let steps = Notation(list: { $0.map { Int(exactly: $0).map { "\($0)" } ?? "\($0)" } }) {
        items throws(SettingFault) in
        let steps = items.compactMap { item in
            let digits = item.hasSuffix("%") ? item.dropLast() : item[...]
            return digits.isDecimal ? Double(digits) : nil
        }
        guard steps.count == items.count, steps == Set(steps).sorted(), steps.allSatisfy({ $0 > 0 && $0 <= 100 }) else {
            throw .notAscending
        }
        return steps
    }
}

extension Substring {
    fileprivate var isDecimal: Bool { utf8.count <= 32 && wholeMatch(of: #/(?:[0-9]*\.)?[0-9]+/#) != nil }

    var trimmedAtEnd: Substring {
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

    static let recordLimits = 1..<1 << 32
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

    package static let notADate = SettingFault("not a calendar date; write 2026-10-20")
    package static let notATime = SettingFault(
        "neither a date nor a time with its offset; write 2026-10-20 or 2026-10-20T09:00Z")
    package static let noReason = SettingFault(
        "needs a reason in words, such as: must work when App Check is down; or delete the line")

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
