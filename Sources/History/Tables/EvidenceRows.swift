internal import GRDB
internal import Readiness
internal import Verifications

/// One function's rows and lines of a day, as far as they were joined with verifications of one provenance.
struct CallerDayRow: MergingRow {
    static let databaseTableName = "caller_days"
    static let statements = MergingStatements(databaseTableName, key: ["service", "provenance", "day"], width: 20)

    let place: EvidencePlace
    /// Without admitted requests, which have rows of their own.
    var callers: CallerDay

    var cells: [(any DatabaseValueConvertible)?] {
        let signs = callers.enforcement
        return place.cells + [
            callers.rows, callers.successes, callers.successes - callers.unlogged, callers.withRow,
            signs.refused.count, signs.refused.newest, signs.allowed.count, signs.allowed.newest,
            signs.missingAccepted.count, signs.missingAccepted.newest,
            signs.missingRefused.count, signs.missingRefused.newest, signs.missingOther, signs.verifiedRefused,
            signs.verifiedOther, signs.authRefused, signs.authOther,
        ]
    }

    mutating func merge(_ other: CallerDayRow) { callers.merge(other.callers) }
}

extension CallerDayRow {
    init(row: Row) throws {
        var cells = CellReader(row, of: CallerDayRow.databaseTableName)
        place = try EvidencePlace(&cells)
        callers = CallerDay()
        (callers.rows, callers.successes) = (try cells.next(), try cells.next())
        callers.unlogged = callers.successes - (try cells.next(Int.self))
        callers.withRow = try cells.next()
        func sign() throws -> EnforcementSigns.Sign {
            EnforcementSigns.Sign(count: try cells.next(), newest: try cells.next())
        }
        var signs = EnforcementSigns()
        (signs.refused, signs.allowed) = (try sign(), try sign())
        (signs.missingAccepted, signs.missingRefused) = (try sign(), try sign())
        (signs.missingOther, signs.verifiedRefused) = (try cells.next(), try cells.next())
        (signs.verifiedOther, signs.authRefused) = (try cells.next(), try cells.next())
        signs.authOther = try cells.next()
        callers.enforcement = signs
    }
}

/// Admitted requests of a day, signed in or not.
struct AdmittedDayRow: MergingRow {
    static let databaseTableName = "admitted_days"
    static let statements = MergingStatements(
        databaseTableName, key: ["service", "provenance", "day", "signed_in"],
        width: 8 + RefusalCause.columns.count)

    let place: EvidencePlace
    let isSignedIn: Bool
    /// Without clients, which have rows of their own.
    var callers: AdmittedCallers

    var cells: [(any DatabaseValueConvertible)?] {
        place.cells + [isSignedIn, callers.joined, callers.blockedJoined, callers.alreadyFailing]
            + callers.causes.map { $0 as any DatabaseValueConvertible } + [callers.iOSPlaceholders]
    }

    mutating func merge(_ other: AdmittedDayRow) { callers.merge(other.callers) }
}

extension AdmittedDayRow {
    init(row: Row) throws {
        var cells = CellReader(row, of: AdmittedDayRow.databaseTableName)
        place = try EvidencePlace(&cells)
        isSignedIn = try cells.next()
        let (joined, blocked, failing) = try (cells.next(Int.self), cells.next(Int.self), cells.next(Int.self))
        let causes = try RefusalCause.columns.map { _ in try cells.next(Int.self) }
        callers = AdmittedCallers(
            joined: joined, blockedJoined: blocked, alreadyFailing: failing, causes: causes,
            iOSPlaceholders: try cells.next())
    }
}

extension RefusalCause {
    /// In the order of the cases.
    static let columns = [
        "placeholder", "expired", "other_project", "unknown_key", "forged", "other_token", "server_fault", "consume",
        "unexplained",
    ]
}

/// Admitted requests of one client on a day.
struct AdmittedClientRow: MergingRow {
    static let databaseTableName = "admitted_clients"
    static let statements = MergingStatements(
        databaseTableName,
        key: ["service", "provenance", "day", "signed_in", "kind", "version_rank", "app", "version", "os"], width: 13)

    let place: EvidencePlace
    let isSignedIn: Bool
    let client: AdmittedCallers.Client
    var counts: AdmittedCallers.Counts

    var cells: [(any DatabaseValueConvertible)?] {
        let version = client.version
        return place.cells + [
            isSignedIn, client.kind.name, Int64(client.rank), StoredText(version?.app ?? ""),
            StoredText(version?.version ?? ""), StoredText(version?.os ?? ""), counts.verified, counts.missing,
            counts.invalid, counts.other,
        ]
    }

    mutating func merge(_ other: AdmittedClientRow) { counts.merge(other.counts) }
}

extension AdmittedClientRow {
    init(row: Row) throws {
        var cells = CellReader(row, of: AdmittedClientRow.databaseTableName)
        place = try EvidencePlace(&cells)
        isSignedIn = try cells.next()
        let name = try cells.next(String.self)
        guard let kind = ClientKind.allCases.first(where: { $0.name == name }),
            case let rank = try cells.next(Int64.self), rank >= 0
        else { throw cells.damage }
        let app = try cells.next(StoredText.self).text
        let (version, os) = try (cells.next(StoredText.self).text, cells.next(StoredText.self).text)
        client = AdmittedCallers.Client(
            kind: kind, version: rank == 0 ? nil : ClientVersion(app: app, version: version, os: os),
            rank: UInt64(rank))
        counts = AdmittedCallers.Counts()
        (counts.verified, counts.missing) = (try cells.next(), try cells.next())
        (counts.invalid, counts.other) = (try cells.next(), try cells.next())
    }
}

/// The function and the day of such a row.
struct EvidencePlace {
    let key: StoredEvidence.Key
    let day: Day

    init(_ key: StoredEvidence.Key, _ day: Day) { (self.key, self.day) = (key, day) }

    fileprivate init(_ cells: inout CellReader) throws {
        let service = UInt64(bitPattern: try cells.next(Int64.self))
        guard let provenance = Provenance(rawValue: try cells.next()) else { throw cells.damage }
        key = StoredEvidence.Key(service: service, provenance: provenance)
        day = Day(number: try cells.next())
    }

    fileprivate var cells: [(any DatabaseValueConvertible)?] {
        [Int64(bitPattern: key.service), key.provenance.rawValue, day.number]
    }
}

/// A run of which the evidence was not added, or not all of it: it may be missing up to a day.
struct EvidenceGapRow: StoreRow, Codable {
    static let databaseTableName = "evidence_gaps"

    let run: Int64
    var through: Int32
}

extension StoreTransaction {
    /// Adds sums to those of their days.
    func add(_ evidence: StoredEvidence) throws {
        for (key, callers) in evidence.callers {
            for (day, counts) in callers.days {
                let place = EvidencePlace(key, day)
                try add(CallerDayRow(place: place, callers: counts))
                for (isSignedIn, admitted) in [(true, counts.signedIn), (false, counts.signedOut)]
                where admitted != AdmittedCallers() {
                    try add(AdmittedDayRow(place: place, isSignedIn: isSignedIn, callers: admitted))
                    for (client, counts) in admitted.clients {
                        try add(
                            AdmittedClientRow(place: place, isSignedIn: isSignedIn, client: client, counts: counts))
                    }
                }
            }
        }
    }

    /// All sums.
    ///
    /// Of what a damaged input has lost, evidence may be missing until a copy repairs it.
    func evidence(of inputs: [InputRow]) throws -> StoredEvidence {
        var evidence = StoredEvidence()
        for row in try rows(CallerDayRow.self) {
            evidence.update(row.place.key, row.place.day) { $0.merge(row.callers) }
        }
        for row in try rows(AdmittedDayRow.self) {
            evidence.update(row.place.key, row.place.day) {
                $0.update(signedIn: row.isSignedIn) { $0.merge(row.callers) }
            }
        }
        for row in try rows(AdmittedClientRow.self) {
            evidence.update(row.place.key, row.place.day) {
                $0.update(signedIn: row.isSignedIn) { $0.add(row.counts, of: row.client) }
            }
        }
        let gaps = try rows(EvidenceGapRow.self).map { Day(number: $0.through) }
        let damaged = inputs.filter { $0.replacedBy == nil && !$0.summary.faults.isEmpty }.map(\.lastDay)
        evidence.incompleteThrough = (gaps + damaged).max()
        return evidence
    }

    /// Says that evidence may be missing up to a day, because of a run.
    func raiseGap(ofRun run: Int64, through day: Day) throws {
        var gap = try EvidenceGapRow.fetchOne(db, key: run) ?? EvidenceGapRow(run: run, through: day.number)
        gap.through = max(gap.through, day.number)
        try gap.save(db)
    }
}

extension InputRow {
    /// The day of its newest verification; the day on which it was added where none is dated.
    var lastDay: Day { (newest ?? ingestedAt).day }
}
