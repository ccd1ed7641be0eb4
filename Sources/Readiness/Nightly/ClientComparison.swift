import Verifications

/// What would be refused of one kind of client on two nights, as a share of all requests with a row.
struct ClientComparison {
    let function: FunctionIdentity
    let kind: ClientKind
    /// With the p-value of this comparison alone.
    let change: RateChange
}

extension FunctionComparison {
    /// The kinds of clients of which anything would be refused, before or since.
    var clientComparisons: [ClientComparison] {
        guard hasRates, let callers, let window = before.window, let counted else { return [] }
        let admission = assessment.policy.numbers.admission
        let days = callers.days.sorted { $0.key < $1.key }.map { (day: $0.key, $0.value.admitted(admission)) }
        func side(_ kind: ClientKind, _ window: Window) -> (RateChange.Side, dispersion: Double)? {
            let counts = days.filter { window.days.contains($0.day) }.map { day, callers in
                let blocked = callers.clients.reduce(0) { $1.key.kind == kind ? $0 + $1.value.blocked : $0 }
                return DayCount(day: Int(day.number), requests: Double(callers.joined), blocked: Double(blocked))
            }
            let side = RateChange.Side(
                window: window, blocked: Int(counts.reduce(0) { $0 + $1.blocked }),
                admitted: Int(counts.reduce(0) { $0 + $1.requests }))
            return side.admitted > 0 ? (side, Dispersion.ofDays(counts)) : nil
        }
        return ClientKind.allCases.compactMap { kind in
            guard let (old, oldDispersion) = side(kind, window), let (new, newDispersion) = side(kind, counted),
                old.blocked + new.blocked > 0
            else { return nil }
            // What comes in bursts of all clients comes in bursts of each.
            let dispersion = max(self.dispersion, oldDispersion, newDispersion)
            let pValue = RateComparison.pValue(old.sample, new.sample, dispersion: dispersion)
            return ClientComparison(
                function: function.identity, kind: kind,
                change: RateChange(before: old, now: new, dispersion: dispersion, pValue: pValue))
        }
    }
}

extension RateChange.Side {
    fileprivate var sample: RateComparison.Sample { .init(blocked: Double(blocked), requests: Double(admitted)) }
}

extension NightlyReport {
    /// Clients whose share moved beyond chance, all of them taken together; of a function the one that is least likely
    /// to have moved by chance.
    static func clients(
        of functions: [FunctionComparison], confidence: Double
    ) -> [FunctionIdentity: (kind: ClientKind, change: RateChange)] {
        let comparisons = functions.flatMap(\.clientComparisons)
        let corrected = HolmCorrection.corrected(comparisons.map(\.change.pValue))
        let known = Dictionary(uniqueKeysWithValues: functions.map { ($0.function.identity, $0) })
        var moved: [FunctionIdentity: (kind: ClientKind, change: RateChange)] = [:]
        for (comparison, pValue) in zip(comparisons, corrected) where pValue <= 1 - confidence {
            let change = RateChange(
                before: comparison.change.before, now: comparison.change.now, dispersion: comparison.change.dispersion,
                pValue: pValue)
            guard change.before.rate != change.now.rate, known[comparison.function]?.isCredible(change) == true,
                moved[comparison.function].map({ pValue < $0.change.pValue }) ?? true
            else { continue }
            moved[comparison.function] = (comparison.kind, change)
        }
        return moved
    }
}
