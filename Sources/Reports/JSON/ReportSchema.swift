/// The fields of ``JSONReport``, each with its type and what it means: for `export schema`, and for the documentation.
///
/// ```
/// suspect | clients to whom refusals are traced          one kind of object; the first is the report
/// since | instant? | since when their share is raised    null where there is none
/// region | string~ | region of a function                missing where there is none
/// complete | boolean or string | whether it is           either of two
/// ```
package struct ReportSchema {
    package struct Object: Sendable {
        package let name: String
        package let meaning: String
        package fileprivate(set) var fields: [Field] = []
    }

    package struct Field: Sendable {
        package let name: String
        /// `integer`, `boolean or string`, `date`, `instant`, or the name of an object; in brackets a list of them.
        package let type: String
        let mayBeNull: Bool
        let mayBeMissing: Bool
        package let meaning: String
    }

    /// The report, then what it consists of.
    package let objects: [Object]

    package init() {
        var objects: [Object] = []
        for line in String(decoding: PackageResources.report_fields_txt, as: UTF8.self).split(separator: "\n") {
            let cells = line.split(separator: " | ").map(String.init)
            if cells.count == 2 {
                objects.append(Object(name: cells[0], meaning: cells[1]))
            } else {
                let type = cells[1].prefix { $0 != "?" && $0 != "~" }
                objects[objects.count - 1].fields.append(
                    Field(
                        name: cells[0], type: String(type), mayBeNull: cells[1].contains("?"),
                        mayBeMissing: cells[1].contains("~"), meaning: cells[2]))
            }
        }
        self.objects = objects
    }

    /// A JSON Schema (draft 2020-12).
    package var text: String {
        var text = ""
        var json = JSONWriter()
        json.object(.lines) { json in
            json.add(["$schema": "https://json-schema.org/draft/2020-12/schema", "title": JSONReport.schema])
            if let report = objects.first { json.add(report) }
            json.object(.lines, key: "$defs") { json in
                for object in objects.dropFirst() { json.object(.lines, key: object.name) { $0.add(object) } }
            }
        }
        json.drain(into: &text)
        return text
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ kind: ReportSchema.Object) {
        add(["type": "object", "description": kind.meaning])
        object(.lines, key: "properties") { json in
            for field in kind.fields { json.object(.inline, key: field.name) { $0.add(field) } }
        }
        member("required", kind.fields.filter { !$0.mayBeMissing }.map(\.name))
        member("additionalProperties", false)
    }

    private mutating func add(_ field: ReportSchema.Field) {
        if field.mayBeNull {
            array(.inline, key: "anyOf") { json in
                json.object(.inline) { $0.add(type: field.type) }
                json.object(nil, ["type": "null"])
            }
        } else {
            add(type: field.type)
        }
        member("description", field.meaning)
    }

    private mutating func add(type: String) {
        switch type {
        case "string", "integer", "number", "boolean": member("type", type)
        case "boolean or string": member("type", ["boolean", "string"])
        case "date", "instant": add(["type": "string", "format": type == "date" ? "date" : "date-time"])
        case _ where type.hasPrefix("["):
            member("type", "array")
            object(.inline, key: "items") { $0.add(type: String(type.dropFirst().dropLast())) }
        default: member("$ref", "#/$defs/\(type)")
        }
    }
}
