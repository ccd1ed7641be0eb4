import Verifications

extension Rule {
    /// A day with this many verifications would show a pass if any were logged.
    private static let blindDay = 10.0
    /// An update of the SDK explains one or two days at two severities.
    static let mixedDays = 3

    /// `passes-not-seen`: the log lacks passed verifications, on most days of the window or on a busy one.
    var passesNotSeen: [Reason] {
        let seen = period.days
        let failing = seen.filter { $0.passed == 0 }
        guard !failing.isEmpty else { return [] }
        let hidden = failing.filter { !showsPasses(on: $0) }
        if failing.count == seen.count, 2 * hidden.count >= seen.count {
            return [.passesNotSeen(day: nil, verifications: Int(seen.reduce(0) { $0 + $1.verifications }))]
        }
        guard let blind = hidden.first(where: { $0.verifications >= Rule.blindDay }) else { return [] }
        return [.passesNotSeen(day: blind.day, verifications: Int(blind.verifications))]
    }

    /// `all-refused`: every client sends a token that is refused.
    var allRefused: Reason? {
        guard !period.days.isEmpty, period.days.allSatisfy({ $0.passed == 0 }), passesNotSeen.isEmpty else {
            return nil
        }
        return .allRefused(verifications: Int(period.days.reduce(0) { $0 + $1.verifications }))
    }

    /// Whether a day without a passed verification would show passes if there had been any.
    ///
    /// Another labelled function shows them, as the SDK logs all alike; to text, whose log level is each function's
    /// own, others show nothing. So does the function's own volume: lost passes shrink a day, a broken client does not.
    private func showsPasses(on day: DayEvidence) -> Bool {
        let stream = project?.evidence.stream(input.generation)
        if input.provenance == .labelled, stream?.labelledPassDays.contains(day.day) == true { return true }
        let volumes = days.lazy.filter { $0.passed > 0 }.map(\.verifications).sorted()
        guard !volumes.isEmpty else { return false }
        let middle = volumes.count / 2
        let median = volumes.count.isMultiple(of: 2) ? (volumes[middle - 1] + volumes[middle]) / 2 : volumes[middle]
        return day.verifications >= median / 2
    }

    /// `mixed-provenance`: one of two kinds of entries is forged, and which cannot be told.
    var mixedProvenance: [Reason] {
        if let mixed = input.mixedText { return [mixed] }
        guard input.members.isEmpty else {
            return input.members.lazy.map { Rule($0, asOf: asOf).mixedProvenance }.first { !$0.isEmpty } ?? []
        }
        guard input.provenance == .labelled else { return [] }
        let mixed = days.count { $0.passSeverities.contains(.debug) && $0.passSeverities != .debug }
        return mixed >= Rule.mixedDays ? [.mixedProvenance(.severities(days: mixed))] : []
    }

    /// True when all passes were written at INFO with a label: by firebase-functions 3.x.
    var isSDK3: Bool {
        input.provenance == .labelled && days.reduce([]) { $0.union($1.passSeverities) } == PassSeverity.info
    }
}
