import Rollout
import Verifications

extension RolloutHistory {
    var section: Document.Section {
        var blocks: [Document.Block] = [.paragraph(standing)]
        let recent = complete.suffix(RolloutPolicy().window)
        if let last = recent.last?.day.day {
            let users = recent.reduce(0) { $0 + $1.day.count.users }
            let failed = recent.reduce(0) { $0 + $1.day.count.failedOnly }
            let share = users > 0 ? " (\(Figures.rate(Double(failed) / Double(users))))" : ""
            blocks.append(
                .paragraph(
                    """
                    On the \(Figures.counted(recent.count, "complete day")) up to \(CalendarText.day(last)), \
                    \(Figures.grouped(failed)) of \(Figures.counted(users, "daily user")) never succeeded\(share).
                    """))
        }
        blocks += [
            .rollout(self),
            .paragraph(
                """
                Daily sums: a user active on two days counts twice. \(code: "callcheck app-attest") decides from the raw \
                rows.
                """, .faint),
        ]
        return Document.Section(title: "App Attest rollout", blocks: blocks)
    }

    private var standing: Wording {
        guard let (percent, since) = percentage else {
            return "The percentage of \(name: parameter) is not known: pass the Remote Config template too."
        }
        return """
            \(name: parameter) is at \(Figures.exactRate(percent / 100)), on the days kept since \
            \(CalendarText.day(since)).
            """
    }

    func table(last count: Int) -> Table {
        let complete = Set(complete.map(\.day.day))
        let confidence = RolloutPolicy().confidence
        return Table(
            lead: Table.Column(head: "day"), numbers: ["percentage", "users", "never succeeded"],
            words: ["at most", ""],
            rows: entries.suffix(count).map { entry in
                let upper = entry.day.bounds(confidence: confidence).upperBound
                return [
                    .words("\(CalendarText.weekday(entry.day.day))"),
                    entry.percent.map { .words("\(Figures.exactRate($0 / 100))") } ?? .words("–"),
                    .number(entry.day.count.users), .number(entry.day.count.failedOnly),
                    .words("\(Figures.rate(upper, .up))"),
                    .words(complete.contains(entry.day.day) ? "" : "not complete"),
                ]
            })
    }
}

/// The chart of a rollout: its percentage as steps above, and the share of each day's users who only fail below.
struct RolloutPlot {
    private let entries: ArraySlice<RolloutHistory.Entry>
    private let frame: ChartFrame
    private let policy = RolloutPolicy()

    private static let most = 92

    init?(_ history: RolloutHistory) {
        guard let last = history.entries.last?.day.day else { return nil }
        entries = history.entries.drop { $0.day.day <= last.advanced(by: -RolloutPlot.most) }
        guard let first = entries.first?.day.day else { return nil }
        frame = ChartFrame(days: first...last, limit: RolloutPolicy().maxFailed)
    }

    func svg(id: String) -> String {
        let span = CalendarText.span(from: frame.days.lowerBound, to: frame.days.upperBound)
        let ends = [0, 100].map { ChartFrame.line(y: height(of: $0)) }.joined()
        return frame.svg(
            id: id, title: "The percentage, and the share of users who only fail, \(span)",
            description: """
                Bars reach from the lower to the upper bound of each day at \(Figures.exactRate(policy.confidence)) \
                confidence. The table below has the numbers.
                """,
            background: SVG.path("grid", frame.grid + ends),
            counts: ("users with App Attest", "100%", SVG.path("bound", stepLine)),
            rates: (
                "share of a day's users who only fail",
                SVG.path("limit", frame.line(at: frame.limit)) + SVG.path("band", bands),
                frame.place(of: frame.limit), SVG.path("dots", dots)
            ),
            lastLabel: CalendarText.short(frame.days.upperBound))
    }

    private func height(of percent: Double) -> Double {
        ChartFrame.countBottom - (ChartFrame.countBottom - ChartFrame.countTop) * percent / 100
    }

    /// Each run of days with a known percentage is one line.
    private var stepLine: String {
        var data = ""
        var last: RolloutHistory.Entry?
        for entry in entries {
            defer { last = entry }
            guard let percent = entry.percent else { continue }
            let (x, y) = (PathData.number(frame.start(of: entry.day.day)), PathData.number(height(of: percent)))
            data += last?.percent == nil ? "M\(x) \(y)" : last?.percent == percent ? "" : "H\(x)V\(y)"
            data += "H\(PathData.number(frame.start(of: entry.day.day) + frame.step))"
        }
        return data
    }

    private var bands: String {
        entries.reduce(into: PathData()) { path, entry in
            let bounds = entry.day.bounds(confidence: policy.confidence)
            let (top, bottom) = (frame.place(of: bounds.upperBound), frame.place(of: bounds.lowerBound))
            path.rectangle(
                x: frame.start(of: entry.day.day) + frame.step * 0.2, y: top, width: frame.step * 0.6,
                height: max(1, bottom - top))
        }.text
    }

    private var dots: String {
        entries.reduce(into: PathData()) { path, entry in
            let count = entry.day.count
            guard count.users > 0 else { return }
            path.dot(
                x: frame.start(of: entry.day.day) + frame.step / 2,
                y: frame.place(of: Double(count.failedOnly) / Double(count.users)))
        }.text
    }
}
