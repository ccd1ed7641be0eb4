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
                Sums of days: who used the app on two days counts twice. \(code: "callcheck rollout") decides, from the \
                rows themselves.
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

    /// A row for each of the newest days, so many at most.
    func table(last count: Int) -> Table {
        let complete = Set(complete.map(\.day.day))
        let confidence = RolloutPolicy().confidence
        var table = Table(
            numbers: ["percentage", "users", "never succeeded"], words: ["at most", ""],
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
        table.columns.insert(Table.Column(head: "day"), at: 0)
        return table
    }
}
