import Verifications

/// A value that reports give to programs, before it is spelled for a format.
enum Leaf: Sendable {
    case number(Int)
    case decimal(Double)
    case flag(Bool)
    case text(String)
    case day(Day)
    case instant(Instant)
    /// Not known, or it does not apply.
    case null
}

protocol LeafValue: Sendable {
    var leaf: Leaf { get }
}

extension Leaf: LeafValue { var leaf: Leaf { self } }
extension Int: LeafValue { var leaf: Leaf { .number(self) } }
extension Double: LeafValue { var leaf: Leaf { isFinite ? .decimal(self) : .null } }
extension Bool: LeafValue { var leaf: Leaf { .flag(self) } }
extension String: LeafValue { var leaf: Leaf { .text(self) } }
extension Day: LeafValue { var leaf: Leaf { .day(self) } }
extension Instant: LeafValue { var leaf: Leaf { .instant(self) } }
extension Optional: LeafValue where Wrapped: LeafValue { var leaf: Leaf { map(\.leaf) ?? .null } }

/// A part of what reports give to programs about a subject: nested in JSON, flat in CSV and in metrics.
struct Field<Subject>: Sendable {
    /// A leaf, under the names that lead to it: `readiness.signedIn.verdict`.
    struct Column: Sendable {
        let path: String
        let leaf: @Sendable (Subject) -> Leaf
    }

    let columns: [Column]
    /// Writes it as a member of a JSON object.
    let write: @Sendable (Subject, inout JSONWriter) -> Void
    private var layout = JSONWriter.Layout.lines

    static func leaf(_ name: String, _ value: @escaping @Sendable (Subject) -> some LeafValue) -> Field {
        Field(columns: [Column(path: name) { value($0).leaf }], write: { $1.member(name, value($0)) }, layout: .inline)
    }

    static func object(_ name: String, _ fields: [Field]) -> Field {
        let columns = fields.flatMap(\.columns).map { Column(path: "\(name).\($0.path)", leaf: $0.leaf) }
        let layout = layout(of: fields)
        return Field(columns: columns) { subject, json in
            json.object(layout, key: name) { for field in fields { field.write(subject, &$0) } }
        }
    }

    /// Fields of a part that not every subject has; without it, the object is null and so are its leaves.
    static func object<Part>(
        _ name: String, of part: @escaping @Sendable (Subject) -> Part?, _ fields: [Field<Part>]
    ) -> Field {
        let columns = fields.flatMap(\.columns).map { column in
            Column(path: "\(name).\(column.path)") { part($0).map(column.leaf) ?? .null }
        }
        let layout = Field<Part>.layout(of: fields)
        return Field(columns: columns) { subject, json in
            guard let part = part(subject) else { return json.null(name) }
            json.object(layout, key: name) { for field in fields { field.write(part, &$0) } }
        }
    }

    /// An object for each of some elements, which have no columns of their own.
    static func list<Element>(
        _ name: String, of elements: @escaping @Sendable (Subject) -> [Element], _ fields: [Field<Element>],
        columns: [Column] = []
    ) -> Field {
        Field(columns: columns) { subject, json in
            json.array(.lines, key: name) { json in
                for element in elements(subject) {
                    json.object(.inline) { for field in fields { field.write(element, &$0) } }
                }
            }
        }
    }

    /// Objects of nothing but leaves are on one line.
    private static func layout(of fields: [Field]) -> JSONWriter.Layout {
        fields.contains { $0.layout == .lines } ? .lines : .inline
    }
}
