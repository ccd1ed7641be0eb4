public import Verifications

/// What was taken out of a history.
public struct PruneReport: Sendable {
    /// Names the shape; another shape gets another number.
    public static let schema = "callcheck.prune/2"

    private let store: String
    private let before: Day
    private let days: Int
    private let verifications: Int
    private let fingerprints: Int
    private let inputs: Int
    private let isDryRun: Bool

    public init(
        store: String, before: Day, days: Int, verifications: Int, fingerprints: Int, inputs: Int, isDryRun: Bool
    ) {
        self.store = store
        self.before = before
        self.days = days
        self.verifications = verifications
        self.fingerprints = fingerprints
        self.inputs = inputs
        self.isDryRun = isDryRun
    }

    public func writeTable(to sink: inout some TextOutputStream) {
        var counts = "\(Figures.counted(days, "day")) with \(Figures.counted(verifications, "verification"))"
        if inputs > 0 { counts += ", and \(Figures.counted(inputs, "input"))," }
        let place = DisplayText(name: store).text
        sink.write(
            isDryRun
                ? "Would drop \(counts) from \(place). Entries before \(before) would not be added any more.\n"
                : "Dropped \(counts) from \(place). Entries before \(before) are not added any more.\n")
    }

    /// Writes the same for programs.
    public func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", PruneReport.schema)
            json.member("store", store)
            json.member("dryRun", isDryRun)
            json.member("before", before.description)
            json.member("days", days)
            json.member("verifications", verifications)
            json.member("fingerprints", fingerprints)
            json.member("inputs", inputs)
        }
        json.drain(into: &sink)
    }
}
