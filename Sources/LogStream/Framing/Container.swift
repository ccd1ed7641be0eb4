/// How the records of a source are put together, recognised by content from its first 64 KiB.
enum Container: Equatable {
    /// Each line is one value in JSON.
    case lines
    /// Arrays, pages, pretty-printed or glued values.
    case values
    /// The same, with text in between.
    case valuesAmongText
    /// Each line is one that a program wrote: JSON or text.
    case console
    /// Lines of `firebase functions:log`; one without time and name goes on with the text of the line before.
    case functionsLog
    /// Each line is a row of CSV: counts of a query.
    case counts
    /// Answers of Cloud Monitoring: counts of services.
    case services
    case unsupported(UnusableFormat)

    static let sampleBytes = 64 << 10

    static func recognise(_ sample: Sample) -> Container {
        if let format = UnusableFormat(startOf: sample) { return .unsupported(format) }
        return SampleRule.first(of: rules, fitting: sample) ?? .unsupported(.unknown)
    }

    private static let rules: [SampleRule<Container>] = [
        // In any case, values are found in lines as well.
        SampleRule(.values) { $0.isBlank },
        SampleRule(.services) { ServicesReader.isIn($0.firstObject) },

        // The emulator's own log, firebase-debug.log, whose levels look like the beginning of an array.
        SampleRule(.console) { $0.starts("[debug] ") || $0.starts("[info] ") },

        // JSON from the first byte on, but not an object of another language.
        SampleRule(.unsupported(.unknown)) { $0.starts("{'") || $0.starts("[{'") },
        SampleRule(.values) { $0.startsArray || $0.startsSpreadObject },
        SampleRule(.lines) { $0.starts("{") },

        SampleRule(.counts) { $0.lines.first.map { CountsReader.isHeading($0) } ?? false },

        // Text.
        SampleRule(.valuesAmongText) { ExplorerText.isIn($0) },
        SampleRule(.functionsLog) { $0.lines.contains { FunctionsLogLine($0) != nil } },
        SampleRule(.console) { $0.lines.contains(where: ConsoleLine.isKnown) },
        SampleRule(.valuesAmongText) { $0.holdsSpreadRecord },
        SampleRule(.lines) { $0.holdsRecordLine },
        SampleRule(.valuesAmongText) { $0.holdsGluedRecord },
    ]
}

/// One row of a table by which a source is recognised: what it is, and how its beginning looks then.
struct SampleRule<Outcome: Sendable>: Sendable {
    let outcome: Outcome
    private let fits: @Sendable (Sample) -> Bool

    init(_ outcome: Outcome, _ fits: @escaping @Sendable (Sample) -> Bool) {
        (self.outcome, self.fits) = (outcome, fits)
    }

    static func first(of rules: [SampleRule], fitting sample: Sample) -> Outcome? {
        rules.first { $0.fits(sample) }?.outcome
    }
}
