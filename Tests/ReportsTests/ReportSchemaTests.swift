import Foundation
import TestSupport
import Testing

@testable import Reports

/// One list of what programs read: the schema, and the page of the documentation.
@Suite struct ReportSchemaTests {
    private static let page = URL(filePath: #filePath).appending(
        path: "../../../Sources/callcheck/Documentation.docc/Internals/json.md"
    ).standardized

    /// With `RECORD_GOLDEN=1` the page is written anew.
    @Test func thePageIsTheList() {
        var lines = [
            "# The fields of JSON", "",
            "What `report`, `explain` and `check` print with `-f json`: `callcheck export schema` prints the same as a JSON",
            "Schema (draft 2020-12). Keys are always present but where it says *or missing*. Dates are UTC days, instants UTC",
            "with up to nanoseconds. Shares are between 0 and 1.", "",
        ]
        for object in ReportSchema().objects {
            let meaning = object.meaning.prefix(1).uppercased() + object.meaning.dropFirst()
            lines += ["## \(object.name)", "", "\(meaning).", "", "| key | type | what it is |", "|---|---|---|"]
            lines += object.fields.map { "| `\($0.name)` | \($0.words) | \($0.meaning) |" } + [""]
        }
        let text = Data(lines.joined(separator: "\n").utf8)
        if let complaint = GoldenFile(ReportSchemaTests.page).complaint(about: text) {
            Issue.record(Comment(rawValue: complaint))
        }
    }

    @Test func everyTypeIsThere() {
        let schema = ReportSchema()
        let plain = ["string", "integer", "number", "boolean", "boolean or string", "date", "instant"]
        let known = Set(schema.objects.map(\.name) + plain)
        let used = Set(schema.objects.flatMap(\.fields).map(\.element))
        #expect(used.subtracting(known) == [])
        #expect(Set(schema.objects.dropFirst().map(\.name)).subtracting(used) == [])
    }
}

extension ReportSchema.Field {
    fileprivate var element: String { type.trimmingCharacters(in: ["[", "]"]) }

    fileprivate var words: String {
        (type == element ? element : "list of \(element)") + (mayBeNull ? " or null" : "")
            + (mayBeMissing ? ", or missing" : "")
    }
}
