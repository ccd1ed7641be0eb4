import ArgumentParser
import History
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

struct SelectionOptions: ParsableArguments {
    @Option(
        help: .value("Ignore earlier requests: date, RFC 3339 or age (7d).", "time"),
        transform: SinceArgument.init(typed:))
    var since: SinceArgument?

    @Option(
        help: .rare("Ignore later requests: RFC 3339 (exclusive), or a date (inclusive).", "time"),
        transform: MomentArgument.init(typed:))
    var until: MomentArgument?

    @Option(
        help: .rare("Judge as of this time: a date, RFC 3339, or yesterday.", "time"),
        transform: MomentArgument.named)
    var asOf: MomentArgument?

    @Option(name: .customLong("project"), help: .rare("Only these projects; repeatable.", "glob"))
    var projects: [String] = []

    @Option(name: .customLong("region"), help: .rare("Only these regions; repeatable.", "glob"))
    var regions: [String] = []

    var typed: TypedSettings { [\.project: projects, \.region: regions] }
}

/// The functions that are shown; a separate group, because `explain` takes one function as its argument.
struct FunctionOptions: ParsableArguments {
    @Option(
        name: .customLong("function"), help: .value("Only these; repeatable. @FILE: a list, one per line.", "glob"),
        completion: StoredNames.completion)
    var functions: [String] = []

    /// The files that list functions; `-` is standard input.
    var lists: [String] { functions.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) } }

    /// Reads the lists, which may be pipes: once.
    func named() throws -> NamedFunctions {
        var named = NamedFunctions()
        for text in functions {
            guard text.hasPrefix("@") else {
                named.names.append(text)
                continue
            }
            try named.add(listedIn: String(text.dropFirst()))
        }
        return named
    }
}

/// The functions that `--function` names, and the lines that name them.
struct NamedFunctions {
    fileprivate(set) var names: [String] = []
    private(set) var lines: [GateCheck.Line] = []
    private var known: Set<String> = []

    var typed: TypedSettings { [\.function: names] }

    /// Adds the names in a file, one a line.
    ///
    /// Text after `#` is a comment; `FILE:LINE` after a tab says where the name is from, else it is from the list.
    ///
    /// - Throws: Why it cannot be read; also where it names nothing, since an empty selection would mean all.
    fileprivate mutating func add(listedIn path: String) throws {
        let file = try TextFile(path == "-" ? "/dev/stdin" : path, of: "--function", limit: NamedFunctions.longestList)
        func refuse(_ reason: String) -> Failure {
            Failure("--function @\(file.name) \(reason); write one name a line.")
        }
        guard file.text.utf8.count <= NamedFunctions.longestList else {
            throw refuse("is too long for a list of names")
        }
        let before = names.count
        // Windows begins a text with a mark of its encoding.
        let text = file.text.first == "\u{FEFF}" ? file.text.dropFirst() : file.text[...]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let parts = line.prefix { $0 != "#" }.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            var words = parts[0].split(whereSeparator: \.isWhitespace).map(String.init)
            let whole = words.joined(separator: " ")
            if FunctionIdentity.isNameOfService(whole) {
                words = [whole]
            } else if !words.allSatisfy(NamedFunctions.isName) {
                // A log or a policy that was named by mistake must not be printed as names without a function.
                throw refuse("is not a list of functions: line \(index + 1) has something else")
            }
            let origin = parts.count > 1 ? NamedFunctions.place(String(parts[1])) : nil
            let new = words.filter { known.insert($0).inserted }
            names += new
            guard let (name, number) = origin ?? (path == "-" ? nil : (path, index + 1)) else { continue }
            lines += new.map { GateCheck.Line(pattern: Glob($0), file: name, number: number) }
        }
        if names.count == before { throw refuse("names no function, and an empty selection would mean all") }
    }

    /// True for what a function or a service can be called, or a pattern of that.
    private static func isName(_ text: String) -> Bool {
        let (prefix, domain) = ("service:", ".googleapis.com")
        let start = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
        let name = start.hasSuffix(domain) ? start.dropLast(domain.count) : start
        return name.utf8.count <= longestName
            && name.utf8.allSatisfy {
                $0 < 0x80 && (Character(.init($0)).isLetter || Character(.init($0)).isNumber || nameSigns.contains($0))
            }
    }

    private static let nameSigns = Set("_-*?".utf8)
    /// Cloud Run's names are much shorter.
    private static let longestName = 256
    /// Two million names; nothing longer is a list.
    private static let longestList = 64 << 20

    /// `src/index.ts:12`; nil for any other text.
    private static func place(_ text: String) -> (file: String, number: Int)? {
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex else { return nil }
        let digits = text[text.index(after: colon)...].prefix { !$0.isWhitespace }
        return Int(digits).flatMap { $0 > 0 ? (String(text[..<colon]), $0) : nil }
    }
}

/// A point in time as typed for `--until` and `--as-of`: RFC 3339, or a date.
struct MomentArgument: Equatable {
    let start: Instant
    /// As an exclusive bound: for a date, the start of the next day.
    let exclusiveEnd: Instant

    var isDay: Bool { start != exclusiveEnd }
    /// As the as-of instant of a run: for a date, its last nanosecond.
    var last: Instant { isDay ? Instant(seconds: exclusiveEnd.seconds - 1, nanoseconds: 999_999_999) : start }
}

extension MomentArgument {
    private init(_ day: Day) {
        self.init(
            start: Instant(day: day, nanosecondOfDay: 0),
            exclusiveEnd: Instant(day: day.advanced(by: 1), nanosecondOfDay: 0))
    }

    /// - Throws: Which forms there are; the parser adds the option and the value.
    init(typed text: String) throws {
        if let day = Day(iso8601: text) {
            self.init(day)
        } else if let instant = Instant(typed: text) {
            self.init(start: instant, exclusiveEnd: instant)
        } else {
            throw ValidationError("write a date (2026-10-13) or RFC 3339 (2026-10-13T12:00:00Z).")
        }
    }

    /// The same, or a day by its name.
    static func named(_ text: String) throws -> MomentArgument {
        let today = Clock.now().day
        return switch text {
        case "today": MomentArgument(today)
        case "yesterday": MomentArgument(today.advanced(by: -1))
        default: try MomentArgument(typed: text)
        }
    }
}

/// A point in time as typed for `--since`: RFC 3339, a date, or an age (`2w`, `7d`, `36h`, `90m`).
enum SinceArgument: Equatable {
    case moment(MomentArgument)
    /// In seconds, counted back from the as-of instant if one is given, else from the clock.
    case age(Int64)

    /// - Throws: Which forms there are; the parser adds the option and the value.
    init(typed text: String) throws {
        let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "w": 604_800]
        if let moment = try? MomentArgument(typed: text) {
            self = .moment(moment)
        } else if let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
            (0...100_000_000).contains(number), text.first?.isNumber == true
        {
            self = .age(number * unit)
        } else {
            throw ValidationError(
                "write a date (2026-10-13), RFC 3339 (2026-10-13T12:00:00Z) or an age (90m, 36h, 7d, 2w).")
        }
    }

    func instant(from now: Instant) -> Instant {
        switch self {
        case .moment(let moment): moment.start
        case .age(let seconds): now.adding(seconds: -seconds)
        }
    }
}

/// Completes the names of functions, in a shell, with those that the store knows.
enum StoredNames {
    static let completion = CompletionKind.custom { words, _, _ in names(for: words) }

    private static func names(for words: [String]) -> [String] {
        let config = value(of: "--config", in: words).map { ["--config", $0] } ?? []
        let settings = try? Settings(SettingsOptions.parse(config))
        guard let path = value(of: "--store", in: words) ?? settings?.store,
            SystemPath(path).isReadable,
            let names = try? NamedStore.use(
                path, for: .reading, { store throws(StoreFailure) in try store.functionNames() })
        else { return [] }
        // Names come from the log, and the shell reads what is printed here.
        return names.filter { MistypedName.isWord($0) && !$0.contains("*") }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        for (index, word) in words.enumerated().reversed() {
            if word == option, index + 1 < words.count { return words[index + 1] }
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
        }
        return nil
    }
}
