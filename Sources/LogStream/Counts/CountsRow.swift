internal import Verifications

/// The columns of a result, in the query's order.
enum CountsColumn: Int, CaseIterable, Error {
    case project, region, function, id, generation, labelled, severity, day, hour, app, auth, count, first, last
    case rowCount

    init?(_ name: RawText) {
        guard let column = CountsColumn.allCases.first(where: { name.equals($0.name) }) else { return nil }
        self = column
    }

    var name: String { CountsColumn.names[rawValue] }

    /// Made once: any line may have a million cells.
    private static let names = allCases.map { $0 == .rowCount ? "row_count" : "\($0)" }

    /// False for what no row is without.
    var mayBeEmpty: Bool { ![.labelled, .count, .rowCount].contains(self) }
}

struct CountsCells {
    private var cells = Array(repeating: RawText.empty, count: CountsColumn.allCases.count)

    subscript(column: CountsColumn) -> RawText {
        get { cells[column.rawValue] }
        set { cells[column.rawValue] = newValue }
    }
}

struct CountsRow {
    let cells: CountsCells

    func counted(limit: Int) throws(CountsColumn) -> CountedRow {
        let generation = try generation()
        let provenance = try provenance()
        let count = try number(.count, in: 1...limit)
        let day = try day()
        if cells[.app].isEmpty, cells[.auth].isEmpty, cells[.function].isEmpty {
            return .errorStream(project: try name(.project), day: day)
        }
        let identity = FunctionIdentity(
            project: try name(.project), region: try name(.region), name: try name(.function), generation: generation)
        let label = cells[.id].isEmpty ? nil : ExactName(try name(.id))
        return .verifications(
            CountedVerifications(
                function: identity, label: label, provenance: provenance,
                severity: PassSeverity(cells[.severity]), app: TokenStatus(cells[.app]),
                auth: TokenStatus(cells[.auth]), count: count, instants: try instants(on: day, count: count)))
    }

    /// A hash of what no two rows have in common.
    var key: Int {
        var hasher = Hasher()
        for column in CountsColumn.allCases where !CountsRow.sums.contains(column) {
            hasher.combine(cells[column].string)
        }
        return hasher.finalize()
    }

    private static let sums: Set<CountsColumn> = [.id, .count, .first, .last, .rowCount]

    func number(_ column: CountsColumn, in range: ClosedRange<Int>) throws(CountsColumn) -> Int {
        guard let number = cells[column].wholeNumber, range.contains(number) else { throw column }
        return number
    }

    private func name(_ column: CountsColumn) throws(CountsColumn) -> String {
        let text = cells[column]
        guard text.count <= NameTable.textLimit, let name = text.validString else { throw column }
        return name.isEmpty ? FunctionIdentity.unknown : name
    }

    private func generation() throws(CountsColumn) -> Generation? {
        guard !cells[.generation].isEmpty else { return nil }
        return Generation(rawValue: UInt8(try number(.generation, in: 1...2)))
    }

    private func provenance() throws(CountsColumn) -> Provenance {
        switch cells[.labelled] {
        case "true", "TRUE", "True": return .labelled
        case "false", "FALSE", "False": return .unlabelled
        default: throw .labelled
        }
    }

    private func day() throws(CountsColumn) -> Day? {
        guard !cells[.day].isEmpty else { return nil }
        guard let text = cells[.day].validString, let day = Day(iso8601: text), day >= Day(number: 16_801) else {
            throw .day
        }
        return day
    }

    /// The first and the last time, both in the hour that the row is of.
    private func instants(on day: Day?, count: Int) throws(CountsColumn) -> ClosedRange<Instant>? {
        guard let day else {
            for column in [CountsColumn.hour, .first, .last] where !cells[column].isEmpty { throw .day }
            return nil
        }
        let hour = try number(.hour, in: 0...23)
        let first = try instant(.first, day, hour: hour)
        let last = try instant(.last, day, hour: hour)
        guard first <= last, count > 1 || first == last else { throw .last }
        return first...last
    }

    private func instant(_ column: CountsColumn, _ day: Day, hour: Int) throws(CountsColumn) -> Instant {
        guard let instant = cells[column].withSpan({ Instant(timestamp: $0) }), instant.day == day,
            Int(instant.nanosecondOfDay / 3_600_000_000_000) == hour
        else { throw column }
        return instant
    }
}

extension RawText {
    var trimmed: RawText { cut(indexOfNonSpace(from: 0)..<count).withoutTrailingSpace }

    /// The text as a string; nil where it is not UTF-8, as a CSV file may have it.
    fileprivate var validString: String? { unsafe String(validating: buffer, as: UTF8.self) }
}
