import Verifications

/// The segments of an evaluation's requests, and of those of each platform.
extension Evaluation {
    /// The days that segments look at: as many as the windows of a week of nights reach back, from S on.
    private var segmentDays: ClosedRange<Day>? {
        guard let today = asOf?.day, let first = stretch?.from else { return nil }
        return max(first, today.advanced(by: 1 - numbers.maxWindow - numbers.window))...today
    }

    /// Returns the segments of all requests that the rule counts.
    func findSegments() -> Segments? { segments { self.history.judgement.isJudged($0, self.counted) } }

    private func segments(
        blocked isBlocked: (Cell) -> Bool = { $0.isBlocked }, of isSelected: (Cell) -> Bool
    ) -> Segments? {
        guard let asOf, let days = segmentDays else { return nil }
        let counts = UnitCounts(history.table, in: days, until: asOf, of: isSelected, blocked: isBlocked)
        return Segments(counts, limit: numbers.maxBlocked)
    }

    /// Returns what fails now: all requests, else the first of the platforms with enough of them.
    func findFailing() -> FailingUnit? {
        let judgement = history.judgement
        return failing(isSignedIn: judgedAdmission == .signedIn, ignored: numbers.acceptedPlatforms) {
            judgement.isJudged($0, self.counted)
        } blocked: {
            $0.isBlocked
        }
    }

    /// The same of requests since the switch, of which some were refused.
    func findRefusing(_ after: AfterSwitch, _ admission: Admission) -> FailingUnit? {
        let (judgement, counted) = (after.judgement, after.counted.admitting(admission))
        return failing(isSignedIn: after.isSignedIn, ignored: []) {
            judgement.isEnforced($0, counted)
        } blocked: {
            judgement.history.isRefused($0)
        }
    }

    private func failing(
        isSignedIn: Bool, ignored: [PlatformName], of isSelected: (Cell) -> Bool, blocked isBlocked: (Cell) -> Bool
    ) -> FailingUnit? {
        guard let days = segmentDays else { return nil }
        let cells = history.table.cells(in: days).filter(isSelected)
        guard FailingUnit.mayFail(cells, isBlocked) else { return nil }
        // What was found for the verdict is all requests.
        if let segments = segments(blocked: isBlocked, of: isSelected), segments.isFailing {
            return FailingUnit(platform: nil, segments: segments)
        }
        let clients = history.table.clients
        var units: [PlatformName: (clients: Set<UInt32>, requests: Int, cells: [Cell])] = [:]
        var names: [UInt32: [PlatformName]] = [:]
        for cell in cells where cell.row == .certain && (cell.auth == .valid || !isSignedIn) {
            guard cell.client > 0 else { continue }
            let client = clients[Int(cell.client) - 1]
            if names[cell.client] == nil {
                names[cell.client] =
                    ignored.contains { $0.covers(client) } ? [] : PlatformName.all(of: client, isSignedIn: isSignedIn)
            }
            for name in names[cell.client] ?? [] {
                units[name, default: ([], 0, [])].clients.insert(cell.client)
                units[name]?.requests += cell.count
                units[name]?.cells.append(cell)
            }
        }
        for (name, unit) in units.sorted(by: { $0.key < $1.key })
        where unit.requests >= FailingUnit.fewestOfPlatform && FailingUnit.mayFail(unit.cells, isBlocked) {
            let segments = segments(blocked: isBlocked) { cell in
                unit.clients.contains(cell.client) && (cell.auth == .valid || !isSignedIn) && isSelected(cell)
            }
            if let segments, segments.isFailing, 2 * segments.share >= 1 {
                return FailingUnit(platform: name, segments: segments)
            }
        }
        return nil
    }

    /// Returns the segments of one platform.
    func segments(of platform: PlatformName, isSignedIn: Bool) -> Segments? {
        let judgement = history.judgement
        return segments(of: platform) { cell in
            (cell.auth == .valid || !isSignedIn) && judgement.isJudged(cell, self.counted)
        }
    }

    /// The same of requests since the switch.
    func segments(of platform: PlatformName, _ after: AfterSwitch) -> Segments? {
        segments(of: platform, blocked: after.judgement.history.isRefused) {
            (!after.isSignedIn || $0.auth == .valid) && after.judgement.isEnforced($0, after.counted)
        }
    }

    private func segments(
        of platform: PlatformName, blocked isBlocked: (Cell) -> Bool = { $0.isBlocked }, _ isSelected: (Cell) -> Bool
    ) -> Segments? {
        let clients = Set(
            history.table.clients.enumerated().filter { platform.covers($0.element) }.map { UInt32($0.offset) + 1 })
        guard !clients.isEmpty else { return nil }
        return segments(blocked: isBlocked) { cell in
            cell.row == .certain && clients.contains(cell.client) && isSelected(cell)
        }
    }
}

extension FailingUnit {
    /// Fewer requests make no unit of a platform.
    fileprivate static let fewestOfPlatform = 20
    private static let fewestBlocked = 4

    /// False where no alarm could be: it takes several that are blocked.
    fileprivate static func mayFail(_ cells: some Collection<Cell>, _ isBlocked: (Cell) -> Bool) -> Bool {
        var blocked = 0
        for cell in cells where isBlocked(cell) {
            blocked += cell.count
            if blocked >= fewestBlocked { return true }
        }
        return false
    }
}
