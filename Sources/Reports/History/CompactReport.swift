/// What was taken out of a history that nobody needs.
public struct CompactReport: Sendable {
    /// Names the shape; another shape gets another number.
    public static let schema = "callcheck.compact/1"

    private let store: String
    private let inputs: Int
    private let bytesBefore: Int
    private let bytesAfter: Int

    public init(store: String, inputs: Int, bytesBefore: Int, bytesAfter: Int) {
        self.store = store
        self.inputs = inputs
        self.bytesBefore = bytesBefore
        self.bytesAfter = bytesAfter
    }

    public func writeTable(to sink: inout some TextOutputStream) {
        sink.write("\(DisplayText(name: store).text): ")
        if inputs > 0 { sink.write("\(Figures.counted(inputs, "input")) stood in the list already. ") }
        sink.write("\(Figures.bytes(bytesAfter)), \(Figures.bytes(bytesBefore)) before.\n")
    }

    /// Writes the same for programs.
    public func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", CompactReport.schema)
            json.member("store", store)
            json.member("inputs", inputs)
            json.member("bytesBefore", bytesBefore)
            json.member("bytesAfter", bytesAfter)
        }
        json.drain(into: &sink)
    }
}
