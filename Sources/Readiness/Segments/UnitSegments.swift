import Verifications

/// The requests of a unit and their segments, which take time to cut and may be asked for twice.
final class SegmentedUnit {
    let counts: UnitCounts
    private let limit: Double
    private(set) lazy var segments = Segments(counts, limit: limit)

    init(_ counts: UnitCounts, limit: Double) { (self.counts, self.limit) = (counts, limit) }

    /// The segments, where the unit fails now with at least a share.
    func failing(least share: Double) -> Segments? {
        counts.mayFail(least: share) && segments.isFailing && segments.share >= share ? segments : nil
    }
}

/// The segments of an evaluation's requests, and of those of each platform.
extension Evaluation {
    /// The days that segments look at, from S on.
    private var segmentDays: ClosedRange<Day>? { segmentDays(from: stretch?.from) }

    /// The same after the switch: `--since` hides nobody who is refused.
    private var daysAfter: ClosedRange<Day>? { segmentDays(from: history.enforcementHistory.firstDay) }

    private func segmentDays(from first: Day?) -> ClosedRange<Day>? {
        guard let today = asOf?.day, let first, first <= today else { return nil }
        return max(first, today.advanced(by: 1 - numbers.maxWindow - numbers.window))...today
    }

    /// Nil for a night before all of them.
    func days(of selected: SelectedRequests, until end: Instant) -> ClosedRange<Day>? {
        let first = max(selected.days.lowerBound, end.day.advanced(by: 1 - numbers.maxWindow - numbers.window))
        return first <= end.day ? first...end.day : nil
    }

    /// Selects the requests that the rule counts; now, of all days that the segments of nights before look at.
    func select() -> SelectedRequests? {
        guard let days = segmentDays, let first = stretch?.from else { return nil }
        let judgement = history.judgement
        return SelectedRequests(
            history.table, in: (isNow ? first : days.lowerBound)...days.upperBound,
            of: { judgement.isJudged($0, self.counted) }, blocked: { $0.isBlocked })
    }

    /// Returns some of the selected requests up to T; nil where T is before all of them.
    func unit(
        _ selected: SelectedRequests, of isOfUnit: (_ client: UInt32, _ isSignedIn: Bool) -> Bool
    ) -> SegmentedUnit? {
        guard let asOf, let days = days(of: selected, until: asOf) else { return nil }
        return SegmentedUnit(
            UnitCounts(selected, in: days, until: asOf, of: isOfUnit), limit: numbers.maxBlocked)
    }

    /// Returns what fails now: all requests, else the first of the platforms with enough of them.
    func findFailing() -> FailingUnit? {
        selected.flatMap {
            failing($0, all, isSignedIn: judgedAdmission == .signedIn, ignored: numbers.acceptedPlatforms)
        }
    }

    /// The same of requests since the switch, of which some were refused.
    func findRefusing(_ after: AfterSwitch) -> FailingUnit? {
        guard let selectedAfter else { return nil }
        return after.callers.lazy.compactMap {
            self.failing(
                selectedAfter, self.unit(selectedAfter) { _, _ in true }, isSignedIn: $0 == .signedIn, ignored: [])
        }.first
    }

    /// Selects the requests since the switch.
    func selectAfter() -> SelectedRequests? {
        guard let after = afterSwitch, let days = daysAfter else { return nil }
        return SelectedRequests(
            history.table, in: days, of: { after.judgement.isEnforced($0, after.counted) },
            blocked: { after.judgement.history.isRefused($0) })
    }

    /// The persons of the window, by day; nil without a window.
    var persons: [DayCount]? {
        guard let asOf, let window = window.flatMap({ project?.stretch(of: $0) }) else { return nil }
        let judgement = history.judgement
        let all = SelectedRequests(
            history.table, in: window.days, of: { judgement.isJudged($0, self.counted) }, blocked: { $0.isBlocked })
        return UnitCounts(all, in: window.days, until: asOf) { _, _ in true }.days(in: window.days)
    }

    /// Returns the persons since the switch by hour: those who are signed in, or all.
    func persons(_ after: AfterSwitch, isSignedIn: Bool) -> UnitCounts? {
        guard let asOf, let days = daysAfter, let selectedAfter else { return nil }
        return UnitCounts(selectedAfter, in: days, until: asOf) { _, isOfSignedIn in isOfSignedIn || !isSignedIn }
    }

    /// Returns the hours of the only raised segment since the switch, if it is over and whoever it refused has come
    /// back.
    func hoursThatAreOver(_ counts: UnitCounts) -> Range<Int>? {
        guard let asOf, let selectedAfter, let days = daysAfter else { return nil }
        let segments = Segments(counts, limit: numbers.maxBlocked)
        let raised = segments.all.filter(\.isRaised)
        guard raised.count == 1, segments.since == nil, let end = raised[0].end else { return nil }
        let (length, since) = (end.seconds - raised[0].start.seconds, asOf.seconds - end.seconds)
        guard since >= min(length, Evaluation.longestEnd) else { return nil }
        let first = Instant(day: days.lowerBound, nanosecondOfDay: 0).seconds
        let hours = Int((raised[0].start.seconds - first) / 3600)..<Int((end.seconds - first) / 3600)
        return selectedAfter.hasReturned(refused: hours) ? hours : nil
    }

    /// In seconds: after so long what was refused is over, however long it lasted.
    private static let longestEnd: Int64 = 72 * 3600

    private func failing(
        _ selected: SelectedRequests, _ all: @autoclosure () -> SegmentedUnit?, isSignedIn: Bool,
        ignored: [PlatformName]
    ) -> FailingUnit? {
        guard let asOf, let days = days(of: selected, until: asOf) else { return nil }
        let first = selected.days.lowerBound.distance(to: days.lowerBound) * 24
        let last = first + days.count * 24
        // By the numbers of clients.
        var sums = Array(repeating: (requests: 0, blocked: 0), count: history.table.clients.count + 1)
        var blocked = 0
        for part in selected.parts(from: first) where part.hour < last {
            blocked += part.blocked
            guard part.client > 0, part.isSignedIn || !isSignedIn else { continue }
            sums[Int(part.client)].requests += part.served + part.blocked
            sums[Int(part.client)].blocked += part.blocked
        }
        guard blocked >= Alarm.fewestPeople else { return nil }
        if let segments = all()?.failing(least: numbers.maxBlocked) {
            return FailingUnit(platform: nil, segments: segments)
        }
        var units: [PlatformName: (clients: [Int], requests: Int, blocked: Int)] = [:]
        for (number, sum) in sums.enumerated() where sum.requests > 0 {
            let client = history.table.clients[number - 1]
            guard !ignored.contains(where: { $0.covers(client) }) else { continue }
            for name in PlatformName.all(of: client, isSignedIn: isSignedIn) {
                units[name, default: ([], 0, 0)].clients.append(number)
                units[name]?.requests += sum.requests
                units[name]?.blocked += sum.blocked
            }
        }
        let asked = units.filter {
            $0.value.requests >= FailingUnit.fewestOfPlatform && $0.value.blocked >= Alarm.fewestPeople
        }
        for (name, sum) in asked.sorted(by: { $0.key < $1.key }) {
            var areOfUnit = Array(repeating: false, count: sums.count)
            for number in sum.clients { areOfUnit[number] = true }
            let own = unit(selected) { (!isSignedIn || $1) && areOfUnit[Int($0)] }
            if let segments = own?.failing(least: FailingUnit.leastShareOfPlatform) {
                return FailingUnit(platform: name, segments: segments)
            }
        }
        return nil
    }

    /// Returns the segments of one platform, of all requests that the rule counts or of those since the switch.
    func segments(of platform: PlatformName, sinceSwitch: Bool, isSignedIn: Bool) -> Segments? {
        let areCovered = [false] + history.table.clients.map(platform.covers)
        guard areCovered.contains(true), let selected = sinceSwitch ? selectedAfter : selected else { return nil }
        return unit(selected) { (!isSignedIn || $1) && areCovered[Int($0)] }?.segments
    }
}

extension FailingUnit {
    /// Fewer requests make no unit of a platform.
    fileprivate static let fewestOfPlatform = 20
    fileprivate static let leastShareOfPlatform = 0.5
}
