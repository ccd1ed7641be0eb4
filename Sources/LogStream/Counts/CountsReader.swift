internal import Verifications

/// Reads the result of the query that `callcheck export counts` prints: CSV, or objects of JSON.
///
/// ```
/// project,region,function,id,generation,labelled,severity,day,hour,app,auth,count,first,last,row_count
/// demo,us-central1,scan,scan,2,true,DEBUG,2026-10-14,9,VALID,VALID,26,2026-10-14T09:00:01.25Z,2026-10-14T09:58:17.5Z,2
/// demo,,,,2,false,,2026-10-14,,,,31,,,2
/// ```
///
/// A row without function and statuses says that something of generation 2's standard-error log arrived that day.
/// Every tool may write numbers as text and leave null out. A result counts as a whole or not at all: a row that is
/// missing would shift every share.
struct CountsReader {
    enum Fault: Equatable {
        case lacks(CountsColumn)
        case cell(CountsColumn, row: Int)
        /// Not a row at all: other than as many cells as the heading has, or no object.
        case shape(row: Int)
        /// A second row of one function, hour and statuses.
        case sameHour(row: Int)
        case tooMany
        /// Fewer or more rows than the query has found.
        case rows(Int, of: Int)
        case cutOff
    }

    private(set) var fault: Fault?
    /// The number of rows that were read, and of verifications that they count.
    private var rows = 0
    private(set) var verifications = 0
    private let isCSV: Bool
    /// The column in each place of CSV; nil until the first line was read.
    private var heading: [CountsColumn?]?
    private var keys: Set<Int> = []
    /// The row counts that results announce, and how many rows announce each; results may follow one another.
    private var announced: [Int: Int] = [:]

    /// Recognises a result by its columns; nil for everything else.
    init?(_ sample: Sample) {
        guard let line = sample.lines.first else { return nil }
        isCSV = CountsReader.isHeading(line)
        guard isCSV || CountsReader.isRow(sample.firstObject) else { return nil }
    }

    /// True for a line with at least half of the columns' names.
    static func isHeading(_ line: RawText) -> Bool {
        guard let names = cells(of: line) else { return false }
        return isEnough(Set(names.compactMap { CountsColumn($0) }).count)
    }

    private static func isRow(_ object: RawText) -> Bool {
        var columns: Set<CountsColumn> = []
        return object.hasMember { key, _ in
            CountsColumn(key).map { _ = columns.insert($0) }
            return isEnough(columns.count)
        }
    }

    private static func isEnough(_ columns: Int) -> Bool { columns * 2 >= CountsColumn.allCases.count }
    mutating func fail(_ fault: Fault) { self.fault = self.fault ?? fault }

    mutating func end() {
        let incomplete = announced.filter { !$0.value.isMultiple(of: $0.key) }.min { $0.key < $1.key }
        if let incomplete { fail(.rows(incomplete.value, of: incomplete.key)) }
    }

    /// Reads a row; nil for a heading, and for one that does not hold.
    mutating func row(_ text: RawText, _ scratch: TextScratch) -> CountedRow? {
        guard fault == nil else { return nil }
        if isCSV, heading == nil { return readHeading(text) }
        guard let cells = isCSV ? placed(text) : members(of: text, scratch) else {
            fail(.shape(row: rows + 1))
            return nil
        }
        // A second result behind the first.
        if isCSV, cells[.count] == "count" { return readHeading(text) }
        rows += 1
        return row(CountsRow(cells: cells))
    }

    private mutating func readHeading(_ line: RawText) -> CountedRow? {
        let columns = (CountsReader.cells(of: line) ?? []).map { CountsColumn($0) }
        for column in CountsColumn.allCases where !columns.contains(column) { fail(.lacks(column)) }
        heading = columns
        return nil
    }

    private func placed(_ line: RawText) -> CountsCells? {
        guard let heading, let found = CountsReader.cells(of: line), found.count == heading.count else { return nil }
        var cells = CountsCells()
        for (column, cell) in zip(heading, found) { column.map { cells[$0] = cell } }
        return cells
    }

    private func members(of object: RawText, _ scratch: TextScratch) -> CountsCells? {
        var cells = CountsCells()
        var scanner = JSONScanner(JSONCursor(object))
        do throws(JSONFailure) {
            guard scanner.isAtObject() else { return nil }
            try scanner.readMembers { (key, scanner) throws(JSONFailure) in
                let start = scanner.position
                guard let column = CountsColumn(key) else { return try scanner.skipValue() }
                let value = try scanner.value()
                // True and false are not text: they have no quotes.
                cells[column] =
                    value.kind == .other ? object.cut(start..<scanner.position).trimmed : scratch.text(of: value)
            }
            return scanner.isAtEnd() ? cells : nil
        } catch {
            return nil
        }
    }

    /// The cells of a line (RFC 4180); nil if quotes are in the middle of one, which no name has.
    private static func cells(of line: RawText) -> [RawText]? {
        var cells: [RawText] = []
        var start = 0
        repeat {
            let isQuoted = start < line.count && line[start] == .quote
            let first = isQuoted ? start + 1 : start
            guard let end = line.index(of: isQuoted ? .quote : .comma, from: first) ?? (isQuoted ? nil : line.count)
            else { return nil }
            cells.append(line.cut(first..<end))
            start = end + (isQuoted ? 2 : 1)
            if isQuoted, end + 1 < line.count, line[end + 1] != .comma { return nil }
        } while start <= line.count
        return cells
    }

    private mutating func row(_ row: CountsRow) -> CountedRow? {
        do throws(CountsColumn) {
            let rowCount = try row.number(.rowCount, in: 1...CountedRow.limit)
            announced[rowCount, default: 0] += 1
            let counted = try row.counted(limit: CountedRow.limit)
            guard keys.insert(row.key).inserted else {
                fail(.sameHour(row: rows))
                return nil
            }
            if case .verifications(let counted) = counted {
                verifications += counted.count
                if verifications > CountedRow.limit { fail(.tooMany) }
            }
            return counted
        } catch {
            let isMissing = !isCSV && row.cells[error].isEmpty && !error.mayBeEmpty
            fail(isMissing ? .lacks(error) : .cell(error, row: rows))
            return nil
        }
    }
}

extension RecordReader {
    mutating func readCounts(_ row: RawText) {
        let scratch = scratch
        scratch.reset()
        if let row = current.counts?.row(row, scratch) { sink.count(row) }
    }

    mutating func failCounts() {
        current.counts?.fail(.cutOff)
        current.services?.fail(ProblemWording.cutServices)
    }

    mutating func endCounts() {
        guard current.counts != nil else { return }
        if !summary.faults.isEmpty { current.counts?.fail(.cutOff) }
        current.counts?.end()
        if let fault = current.counts?.fault {
            summary.faults.insert(.unsupported)
            report(.unsupportedFormat, ProblemWording.counts(fault))
        } else {
            summary.records = current.counts?.verifications ?? 0
        }
        sink.endCounts(isSound: current.counts?.fault == nil)
    }
}

extension ProblemWording {
    static func counts(_ fault: CountsReader.Fault) -> String {
        let what =
            switch fault {
            case .lacks(let column): "it has no column \(column.name). Run the query of \(query) as it is"
            case .cell(let column, let row):
                "row \(row) has no usable \(column.name) (\(column.rule)). Run the query of \(query) as it is, and let "
                    + "nothing rewrite its result"
            case .shape(let row):
                "row \(row) is not a row of it. Save the result again, with --format=csv or --format=json"
            case .sameHour(let row):
                "row \(row) counts what an earlier row counts: the same function, hour and statuses. Pass results that "
                    + "overlap as separate files"
            case .tooMany: "it counts more requests than there can be. Check what rewrote the file"
            case .rows(let rows, let whole):
                "\(rows) of \(whole) rows are there. Save all of them: bq query stops after 100 unless --max_rows is "
                    + "given"
            case .cutOff: "the file is damaged or ends too early. Save the result again"
            }
        return "counts that cannot be used; nothing of them is counted: \(what)"
    }

    private static let query = "callcheck export counts"
}

extension CountsColumn {
    fileprivate var rule: String {
        switch self {
        case .project, .region, .function, .id: "text of at most \(NameTable.textLimit) bytes"
        case .generation: "1, 2 or nothing"
        case .labelled: "true or false"
        case .severity, .app, .auth: "text"
        case .day: "a date such as 2026-10-14"
        case .hour: "0 to 23"
        case .count, .rowCount: "a whole number from 1 to 2^40"
        case .first, .last: "a time within that hour, such as 2026-10-14T09:00:01.25Z"
        }
    }
}
