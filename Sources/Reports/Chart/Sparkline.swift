import Readiness
import Verifications

/// The share of requests without a valid App Check token over the last days, one mark per day or per few days.
///
/// The steps are the same in every row and finest where decisions are made: between none and a few per cent.
struct Sparkline {
    /// Where each step ends, in per cent; the first is none at all, and there is one more step after the last.
    static let stepEnds = [0, 1, 2, 5, 10, 25, 50]

    /// The days shown; the last mark ends with the last of them.
    let days: ClosedRange<Day>
    let dayCount: Int
    let daysPerMark: Int

    /// Divides days among at most `width` marks, evenly except for the first.
    init(days: ClosedRange<Day>, width: Int) {
        self.days = days
        dayCount = days.lowerBound.distance(to: days.upperBound) + 1
        daysPerMark = (dayCount + width - 1) / width
    }

    var markCount: Int {
        (dayCount - 1) / daysPerMark + 1
    }

    /// The marks of one row, a space where nothing was admitted; those above the limit stand out.
    func marks(_ tally: [DayTally], _ admission: Admission, limit: Double, glyphs: [Character]) -> StyledText {
        var admitted = Array(repeating: 0, count: markCount)
        var blocked = admitted
        for day in tally where days.contains(day.day) {
            let mark = markCount - 1 - day.day.distance(to: days.upperBound) / daysPerMark
            let day = ChartDay(day, admission)
            admitted[mark] += day.requests
            blocked[mark] += day.blocked
        }
        return zip(blocked, admitted).reduce(into: StyledText("")) { text, day in
            let (blocked, admitted) = day
            let glyph = admitted == 0 ? " " : glyphs[Sparkline.step(blocked, of: admitted)]
            text.append(String(glyph), Double(blocked) > limit * Double(admitted) ? .bad : .plain)
        }
    }

    /// Numbers as marks whose height is their share of the largest, a space for none.
    static func marks(_ numbers: [Int], width: Int, glyphs: [Character]) -> String {
        let each = (numbers.count + width - 1) / max(1, width)
        let sums = stride(from: 0, to: numbers.count, by: each).map { start in
            numbers[start..<min(start + each, numbers.count)].reduce(0, +)
        }
        let most = sums.max() ?? 0
        return String(sums.map { $0 == 0 ? " " : glyphs[($0 * glyphs.count - 1) / most] })
    }

    static func glyphs(unicode: Bool) -> [Character] {
        unicode ? ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : ["_", ".", "-", "=", "+", "*", "#", "@"]
    }

    private static func step(_ blocked: Int, of admitted: Int) -> Int {
        stepEnds.firstIndex { Double(blocked) * 100 <= Double($0) * Double(admitted) } ?? stepEnds.count
    }
}

extension Sparkline {
    /// The head of a column of marks: `4 weeks`, `10 days`.
    var head: String {
        dayCount == 28 ? "4 weeks" : Figures.counted(dayCount, "day")
    }

    func legend(unicode: Bool) -> Wording {
        let glyphs = Sparkline.glyphs(unicode: unicode)
        let unit = daysPerMark == 1 ? "day" : "\(daysPerMark) days"
        var legend: Wording = "\(head): would be refused per \(unit): \(code: "\(glyphs[0]) none")"
        for (glyph, end) in zip(glyphs, Sparkline.stepEnds).dropFirst() {
            legend = legend + " \(code: "\(glyph) \(unicode ? "≤" : "<=")\(end)%")"
        }
        return legend + " \(code: "\(glyphs[glyphs.count - 1]) more")"
    }
}
