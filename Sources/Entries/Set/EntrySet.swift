package import Readiness
package import Verifications

/// The set that was read: verifications, rows and lines, each as often as it was read, and what is not an entry.
///
/// A union of sets is all that merging is. Which entries are copies, which of an execution counts, and which row
/// belongs to which verification is decided when an answer is made: ``resolved(_:with:)``.
package struct EntrySet: Sendable {
    package internal(set) var services: [UInt64: ServiceEntries] = [:]
    package var projects: [ExactName: ProjectTally] = [:]
    package var versions = ClientVersions()
    package var input = InputSummary()

    package init() {}

    package subscript(service: UInt64) -> ServiceEntries {
        _read { yield services[service, default: ServiceEntries()] }
        _modify { yield &services[service, default: ServiceEntries()] }
    }

    package mutating func merge(_ other: consuming EntrySet) {
        for (hash, service) in other.services { self[hash].merge(service) }
        for (name, project) in other.projects { projects[name, default: ProjectTally()].merge(project) }
        versions.merge(other.versions)
        input.merge(other.input)
    }

    var entryCount: Int { services.values.reduce(0) { $0 + $1.entryCount } }

    mutating func removeCopies() { for service in Array(services.keys) { services[service]?.removeCopies() } }
}

package struct ServiceName: Hashable, Codable, Sendable {
    /// Nil where nothing shows that it is a function.
    package var identity: FunctionIdentity?
    /// The smallest `goog-drz-cloudfunctions-id` seen; nil when no entry carried one.
    package var label: ExactName?
    /// The smallest name in the URLs of rows, with its capitals.
    package var urlName: ExactName?

    package init(identity: FunctionIdentity? = nil, label: ExactName? = nil, urlName: ExactName? = nil) {
        (self.identity, self.label, self.urlName) = (identity, label, urlName)
    }

    package mutating func merge(_ other: ServiceName) {
        identity = identity ?? other.identity
        label = [label, other.label].compactMap(\.self).min()
        urlName = [urlName, other.urlName].compactMap(\.self).min()
    }
}

/// The entries of one function, or of another service that has rows.
package struct ServiceEntries: Sendable {
    package var name = ServiceName()
    var uncounted = UncountedRecords()
    var sign = RequestRow.ServiceSign.otherService
    var givenUpThrough: Day?

    private(set) var days: [(day: DayIndex, entries: DayEntries)] = []
    private var places: [DayIndex: Int] = [:]
    /// Entries come nearly in order, so the next one is most often of the same day.
    private var recent = 0

    package init() {}

    private static let fewDays = 4

    var count: Int { days.reduce(0) { $0 + $1.entries.verifications } }
    var rowCount: Int { days.reduce(0) { $0 + $1.entries.rowCount } }
    var entryCount: Int { count + rowCount + days.reduce(0) { $0 + $1.entries.lines.count } }
    private var hasLines: Bool { days.contains { $0.entries.lines.count > 0 } }
    /// True where rows may go: nothing shows that it is a function.
    var mayBeOther: Bool { name.identity == nil && sign != .function && !hasLines }

    private mutating func place(of day: DayIndex) -> Int {
        if recent < days.count, days[recent].day == day { return recent }
        let last = recent
        recent = existingPlace(of: day) ?? days.count
        if recent == days.count {
            // Entries come nearly in order, so hardly any will come of the day before.
            if last < days.count { days[last].entries.shrink() }
            days.append((day, DayEntries()))
            if !places.isEmpty { places[day] = recent }
        }
        return recent
    }

    private mutating func existingPlace(of day: DayIndex) -> Int? {
        if days.count <= ServiceEntries.fewDays { return days.firstIndex { $0.day == day } }
        if places.isEmpty { for (place, day) in days.enumerated() { places[day.day] = place } }
        return places[day]
    }

    package mutating func add(_ verification: Verification, _ fingerprint: Fingerprint) {
        let dated = verification.instant.flatMap(DayIndex.init(dated:))
        let place = place(of: dated ?? verification.received.flatMap(DayIndex.init(dated:)) ?? .none)
        days[place].entries.add(
            TracedEntry(PackedVerification(verification, fingerprint), verification.request), verification.revision)
    }

    package mutating func shape(_ shape: Shape?) {
        for place in days.indices { days[place].entries.shape(shape) }
    }

    mutating func removeCopies() { for place in days.indices { days[place].entries.removeCopies() } }

    package mutating func add(_ row: RequestRow) {
        guard let day = DayIndex(dated: row.instant) else { return }
        sign = max(sign, row.sign)
        days[place(of: day)].entries.add(EntryRow(row), row.revision)
    }

    package mutating func add(_ line: SDKLine) {
        guard let day = DayIndex(dated: line.instant) else { return }
        days[place(of: day)].entries.lines.append(EntryLine(line))
    }

    package mutating func add(_ entries: consuming DayEntries, on day: DayIndex) {
        days[place(of: day)].entries.merge(entries)
    }

    package mutating func merge(_ other: consuming ServiceEntries) {
        name.merge(other.name)
        uncounted.merge(other.uncounted)
        sign = max(sign, other.sign)
        givenUpThrough = [givenUpThrough, other.givenUpThrough].compactMap(\.self).max()
        if days.isEmpty {
            (days, places, recent) = (other.days, other.places, other.recent)
        } else {
            for (day, entries) in other.days { add(entries, on: day) }
        }
    }

    mutating func takeDays() -> [(day: DayIndex, entries: DayEntries)] {
        defer { (days, places, recent) = ([], [:], 0) }
        return days.sorted { $0.day < $1.day }
    }

    mutating func take(_ day: DayIndex) -> DayEntries? {
        guard let place = existingPlace(of: day) else { return nil }
        defer { days[place].entries = DayEntries() }
        return days[place].entries
    }

    var records: ProvenanceCounts { days.reduce(into: ProvenanceCounts()) { $0 += $1.entries.records } }
}

extension DayIndex {
    /// Nil for a time before 2016, which no log has.
    init?(dated instant: Instant) {
        self.init(instant.day)
        if number < 0 { return nil }
    }
}

/// Rows of services that may not be functions. A project has many, and no verification ever matches them.
extension EntrySet {
    package var rowCount: Int { services.values.reduce(0) { $0 + $1.rowCount } }

    /// True if rows were dropped of a service that may still turn out to be a function.
    var hasGivenUpRows: Bool { services.values.contains { $0.givenUpThrough != nil } }

    /// Gives up rows of services without a sign of a function where there are more than the limit, until half as many
    /// are left: those first whose labels show that they are none, and the oldest days first.
    mutating func giveUpRows(beyond limit: Int, sparing functions: Set<UInt64> = []) {
        let unknown = services.filter { !functions.contains($0.key) && $0.value.mayBeOther }.map(\.key)
        var count = unknown.reduce(0) { $0 + self[$1].rowCount }
        guard count > limit else { return }
        for wanted in [RequestRow.ServiceSign.otherService, .unknown] where count > limit / 2 {
            let found = unknown.filter { self[$0].sign == wanted }
            var days: [DayIndex: Int] = [:]
            for hash in found { for (day, entries) in self[hash].days { days[day, default: 0] += entries.rowCount } }
            var last: DayIndex?
            for (day, rows) in days.sorted(by: { $0.key < $1.key }) where count > limit / 2 {
                last = day
                count -= rows
            }
            guard let last else { continue }
            for hash in found { self[hash].giveUpRows(through: last) }
        }
    }
}

extension ServiceEntries {
    fileprivate mutating func giveUpRows(through last: DayIndex) {
        for place in days.indices where days[place].day <= last && days[place].entries.rowCount > 0 {
            days[place].entries.giveUpRows()
            if let day = days[place].day.day { givenUpThrough = max(givenUpThrough ?? day, day) }
        }
    }
}
