/// How the records of a source are put together, recognised by content from its first 64 KiB.
enum Container: Equatable {
    /// Each line is one value in JSON.
    case lines
    /// Arrays, pages, pretty-printed or glued values.
    case values
    /// The same, with text in between.
    case valuesAmongText
    /// Each line is one that a program wrote: JSON or text, perhaps behind a prefix.
    case console
    /// Lines of `firebase functions:log`; one without its prefix goes on with the text of the line before.
    case functionsLog
    /// No log that can be read.
    case unsupported(UnusableFormat)

    /// How many bytes the decision may look at.
    static let sampleBytes = 64 << 10

    /// Decides from the beginning of a source.
    static func recognise(_ sample: Sample) -> Container {
        if let format = UnusableFormat(startOf: sample) { return .unsupported(format) }
        return rows.first { $0.fits(sample) }?.container ?? .unsupported(UnusableFormat(textOf: sample))
    }

    private struct Row: Sendable {
        let container: Container
        let fits: @Sendable (Sample) -> Bool

        init(_ container: Container, _ fits: @escaping @Sendable (Sample) -> Bool) {
            self.container = container
            self.fits = fits
        }
    }

    /// One row for each thing that a source can be; the first that fits decides.
    private static let rows = [
        // Whatever comes: values are found in lines as well.
        Row(.values) { $0.isBlank },

        // JSON from the first byte on.
        Row(.values) { $0.startsArray || $0.startsSpreadObject },
        Row(.lines) { $0.starts("{") },

        // Text.
        Row(.valuesAmongText) { ExplorerText.isIn($0) },
        Row(.functionsLog) { FunctionsLogLine.isIn($0) },
        Row(.console) { ConsoleLine.isIn($0) },
        Row(.valuesAmongText) { $0.holdsSpreadRecord },
        Row(.lines) { $0.holdsRecordLine },
        Row(.valuesAmongText) { $0.holdsGluedRecord },
    ]
}
