import Verifications

extension Truth {
    /// The truth as JSON in UTF-8, with a line feed at the end.
    ///
    /// What `callcheck --format json` prints as well has the same place,
    /// name and meaning here, so that a script can compare the two key by key: `input`, `totals.app` and, for each
    /// function, all but `readiness`. Added are, for each day, the whole matrix (`appByAuth`) and the hour masks as
    /// numbers (`blockedHoursMask`, `signedInBlockedHoursMask`), and `streams`.
    package func json() -> [UInt8] {
        var json = JSONText()
        json.object {
            $0.field("schema", "callcheck.truth/1")
            $0.object("input") { json in
                json.field("bytesDecompressed", bytes)
                json.field("records", records)
                json.field("verifications", verifications)
                json.field("duplicates", duplicates)
                json.field("ignored", ignored)
                json.field("undated", undated)
            }
            $0.object("totals") { json in
                json.object("app") { json in
                    for app in TokenStatus.allCases {
                        json.field(app.name, functions.reduce(0) { $0 + $1.totals.total(app: app) })
                    }
                }
            }
            $0.array("functions") { json in
                for function in functions { json.object { $0.fields(of: function) } }
            }
            $0.array("streams") { json in
                for stream in streams { json.object { $0.fields(of: stream) } }
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension JSONText {
    fileprivate mutating func fields(of function: FunctionTruth) {
        field("project", function.identity.project)
        field("region", function.identity.region)
        field("function", function.label ?? function.identity.name)
        field("generation", function.identity.generation.map { Int($0.rawValue) })
        field("verifications", function.totals.total)
        field("first", function.first?.description)
        field("last", function.last?.description)
        object("app") { $0.fields(of: function.totals) }
        matrix(function.totals)
        array("daily") { json in
            for day in function.days { json.object { $0.fields(of: day) } }
        }
    }

    private mutating func fields(of day: DayTruth) {
        field("date", day.day.description)
        fields(of: day.counts)
        field("admitted", day.counts.admitted)
        field("blocked", day.counts.blocked)
        field("blockedHours", day.blockedHours.nonzeroBitCount)
        matrix(day.counts)
        field("blockedHoursMask", Int(day.blockedHours))
        field("signedInBlockedHoursMask", Int(day.signedInBlockedHours))
        field("lastBlocked", day.lastBlocked?.description)
        field("lastSignedInBlocked", day.lastSignedInBlocked?.description)
    }

    private mutating func fields(of counts: StatusCounts) {
        for app in TokenStatus.allCases { field(app.name, counts.total(app: app)) }
    }

    private mutating func matrix(_ counts: StatusCounts) {
        object("appByAuth") { json in
            for app in TokenStatus.allCases {
                json.object(app.name) { json in
                    for auth in TokenStatus.allCases { json.field(auth.name, counts[app, auth]) }
                }
            }
        }
    }

    fileprivate mutating func fields(of stream: StreamTruth) {
        field("project", stream.project)
        field("generation", Int(stream.generation.rawValue))
        object("verifications") { $0.fields(of: stream.verifications) }
        object("failed") { $0.fields(of: stream.failed) }
        field("undatedFailed", stream.undatedFailed)
        array("errorStreamDays") { json in
            for day in stream.errorStreamDays.sorted() { json.element(day.description) }
        }
    }

    private mutating func fields(of counts: [Day: Int]) {
        for (day, count) in counts.sorted(by: { $0.key < $1.key }) { field(day.description, count) }
    }
}

/// JSON being written, value after value.
private struct JSONText {
    private(set) var bytes: [UInt8] = []

    mutating func object(_ content: (inout JSONText) -> Void) {
        enclose("{", "}", content)
    }

    mutating func object(_ name: String, _ content: (inout JSONText) -> Void) {
        begin(name)
        enclose("{", "}", content, after: false)
    }

    mutating func array(_ name: String, _ content: (inout JSONText) -> Void) {
        begin(name)
        enclose("[", "]", content, after: false)
    }

    mutating func field(_ name: String, _ value: Int?) {
        begin(name)
        bytes.append(value.map { String($0) } ?? "null")
    }

    mutating func field(_ name: String, _ value: String?) {
        begin(name)
        if let value { quote(value) } else { bytes.append("null") }
    }

    mutating func element(_ value: String) {
        separate()
        quote(value)
    }

    private mutating func begin(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: jsonEscaped(text, asASCII: false))
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func enclose(
        _ open: String, _ close: String, _ content: (inout JSONText) -> Void, after separates: Bool = true
    ) {
        if separates { separate() }
        bytes.append(open)
        content(&self)
        bytes.append(close)
    }

    /// A comma, unless the value is the first one of what encloses it.
    private mutating func separate() {
        guard let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else { return }
        bytes.append(UInt8(ascii: ","))
    }
}
