internal import Verifications

/// What is read of a source that holds counts instead of entries.
extension RecordReader {
    /// Reads a row.
    mutating func readCounts(_ row: RawText) {
        let scratch = scratch
        scratch.reset()
        if let row = counts?.row(row, scratch) { sink.count(row) }
    }

    /// Tells the sink whether the counts of the source hold.
    mutating func endCounts() {
        guard counts != nil else { return }
        if !summary.faults.isEmpty || summary.problems.entries.contains(where: { $0.kind == .unterminatedArray }) {
            counts?.fail(.cutOff)
        }
        counts?.end()
        if let fault = counts?.fault {
            summary.faults.insert(.unsupported)
            report(.unsupportedFormat, ProblemWording.counts(fault))
        } else {
            summary.records = counts?.verifications ?? 0
        }
        sink.endCounts(isSound: counts?.fault == nil)
        counts = nil
    }
}

extension ProblemWording {
    /// What is wrong with a result of the query that counts.
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
                    + "overlap as files of their own"
            case .tooMany: "it counts more requests than there can be. Check what rewrote the file"
            case .rows(let rows, let whole):
                "\(rows) of \(whole) rows are there. Save all of them: bq query stops after 100 unless --max_rows is "
                    + "given"
            case .cutOff: "the file is damaged or ends too early. Save the result again"
            }
        return "counts that cannot be used; nothing of them is counted: \(what)"
    }

    private static let query = "callcheck export --counts"
}

extension CountsColumn {
    /// What a cell of the column must be.
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
