import Readiness
import Verifications

/// The numbers behind a chart, for whoever cannot see it or wants to know exactly.
struct DayRows {
    private let cells: [DayCell]

    init(_ cells: [DayCell]) {
        self.cells = cells
    }

    /// Columns for unusual statuses and for requests that do not count only where there are any.
    var fields: Fields {
        let hasOther = cells.contains { $0.admitted[3] > 0 }
        let hasUncounted = cells.contains { $0.uncounted > 0 }
        return [
            "hasOther": .flag(hasOther), "hasUncounted": .flag(hasUncounted),
            "rows": .list(
                cells.map { cell in
                    [
                        "day": .text(CalendarText.weekday(cell.day)),
                        "cells": .texts(numbers(cell, hasOther, hasUncounted)),
                        "refused": .text(cell.requests > 0 ? Figures.percent(cell.blocked, of: cell.requests) : "–"),
                    ]
                }),
        ]
    }

    private func numbers(_ cell: DayCell, _ hasOther: Bool, _ hasUncounted: Bool) -> [String] {
        (hasOther ? cell.admitted : Array(cell.admitted.dropLast())).map(Figures.grouped)
            + (hasUncounted ? [Figures.grouped(cell.uncounted)] : [])
    }
}
