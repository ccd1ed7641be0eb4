package import Verifications

/// Something that a reader has to know: of a function, of a project or of the input.
///
/// A finding's code and the clause that finds it share a file of this folder; its words are in Reports.
package struct Finding: Hashable, Sendable {
    package let code: Code
    /// The measured rate or share, or the number of requests, days, hours or nights.
    package var value: Double?
    /// The limit that ``value`` was compared with.
    package var limit: Double?
    /// The requests that it is about, and those that these are part of.
    package var count = 0
    package var total = 0
    /// One number for each of several kinds.
    package var counts: [Int] = []
    /// The upper bound of the blocked rate, or requests a day, where ``value`` is something else.
    package var rate: Double?
    package var days: [Day] = []
    package var window: Window?
    package var instant: Instant?
    package var end: Instant?
    package var platforms: [PlatformCount] = []
    package var names: [String] = []
    package var known: KnownCallers?
    /// The function's generation, where the words depend on it.
    package var generation: Generation?
    /// At most one.
    package var problems: [Problem] = []

    package var name: String { code.name }
    package var kind: Kind { code.kind }
    package var urgency: Urgency { code.urgency }
    package var display: Display { code.display }

    /// The code of a finding, with all that holds regardless of its numbers; different codes may share a name.
    package final class Code: Hashable, Sendable {
        /// The spelling in machine-readable output.
        package let name: String
        package let kind: Kind
        package let urgency: Urgency
        package let display: Display

        /// Settled, safe and advice only explain, unless they say otherwise.
        init(_ name: String, _ kind: Kind = .advice, _ urgency: Urgency? = nil, _ display: Display = []) {
            self.name = name
            self.kind = kind
            self.urgency = urgency ?? (kind.explains ? .note : .caution)
            self.display = display
        }

        package static func == (left: Code, right: Code) -> Bool { left === right }
        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    package enum Urgency: String, Sendable {
        case act
        /// Counts or shares may be wrong because of it.
        case caution
        /// It only explains them.
        case note
    }

    /// How reports show a finding, apart from the function it is about.
    package struct Display: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Below the table, functions that have it together.
        package static let shared = Display(rawValue: 1)
        /// A short answer only counts it: it changes nothing about the functions shown.
        package static let countedOnly = Display(rawValue: 2)
        /// Every answer of a gate includes it.
        package static let inAnswers = Display(rawValue: 4)
        /// It concerns whether enforcement can be switched on, not whom it refuses.
        package static let ofReadiness = Display(rawValue: 8)
        /// It is to be copied or done at once, so that nothing of it is left out.
        package static let whole = Display(rawValue: 16)
        /// It happens now, so lists begin with it.
        package static let now = Display(rawValue: 32)
        /// It is about the log, so it matters also where that lacks passed requests.
        static let ofLog = Display(rawValue: 64)
        /// More days of log answer it.
        static let needsMore = Display(rawValue: 128)
        /// It matters after the switch, too: whose requests count, and what is not known of them.
        package static let afterSwitch = Display(rawValue: 256)
    }

    /// The effect of a finding on the verdict.
    package enum Kind: Hashable, Sendable {
        /// Nothing is left to decide.
        case settled(Verdict)
        /// The log lacks passed requests.
        case blind
        /// Only a newer log can tell more.
        case silence
        /// Enforcement would refuse too many requests.
        case against
        /// There is not enough data yet.
        case doubt
        /// The log may be incomplete; a user who knows better can say so with this setting.
        case incomplete(AssumeComplete)
        case safe
        /// Never changes a verdict.
        case advice

        package var isIncomplete: Bool { if case .incomplete = self { true } else { false } }

        fileprivate var explains: Bool {
            switch self {
            case .settled, .safe, .advice: true
            default: false
            }
        }
    }
}

extension [Finding] {
    /// People who are locked out, then what happens now, then the rest, each in the same order.
    package var byUrgency: [Finding] {
        (0...2).flatMap { rank in
            filter { ($0.code == .lockout ? 0 : $0.display.contains(.now) ? 1 : 2) == rank }
        }
    }

    package func has(_ codes: Finding.Code...) -> Bool { contains { codes.contains($0.code) } }

    package subscript(code: Finding.Code) -> Finding? { first { $0.code == code } }
}
