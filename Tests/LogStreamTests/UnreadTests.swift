import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What people put together with `cat` is read, and what is not read counts by what it may hold.
@Suite struct UnreadTests {
    private static let names = (1...6).map { "f\($0)" }
    private static let entries = names.map { EntryText.second($0, app: "MISSING").text }
    private static let lines = (1...3).map { EntryText.first("g\($0)").text + "\n" }.joined()

    private static func text(_ layout: Layout) -> String {
        String(decoding: layout.log(entries).bytes, as: UTF8.self)
    }

    private static func message(_ data: [UInt8]) -> String {
        #"{"message":{"data":"\#(Data(data).base64EncodedString())","messageId":"1"},"subscription":"s"}"# + "\n"
    }

    private static func batch(_ text: String) -> String { message(Array(text.utf8)) }

    private func expect(_ scan: Scan, read: Int, unread: Int?, _ comment: Comment? = nil) {
        #expect(scan.found.count == read, comment)
        #expect(scan.summary.unread.total == unread, comment)
    }

    // MARK: What is read

    /// Lines, then values of any layout, then lines: as one file, as members of gzip, and in small chunks.
    @Test(arguments: Layout.allCases.filter { !"\($0)".hasPrefix("open") && !"\($0)".hasPrefix("marked") })
    func valuesAmongLines(layout: Layout) throws {
        let values = UnreadTests.text(layout)
        let parts = [UnreadTests.lines, values, "\n" + UnreadTests.lines, values]
        let whole = Array(parts.joined().utf8)
        let read = 12 + 6
        for bytes in [whole, parts.flatMap { Gzip.member(Array($0.utf8)) }] {
            expect(try Scan.bytes(bytes), read: read, unread: 0, "\(layout)")
        }
        for size in [1, 7, 64, 1000] {
            var options = ScanOptions()
            options.chunkBytes = size
            expect(try Scan.bytes(whole, options: options), read: read, unread: 0, "\(layout), chunks of \(size)")
        }
        expect(try Scan.text(values + "\n" + UnreadTests.lines), read: 9, unread: 0, "\(layout) first")
    }

    /// An array that is longer than is looked ahead, on one line, on many, and pretty-printed.
    @Test(arguments: [",", ",\n", ",\n  \n    "])
    func longArrays(between: String) throws {
        let entry = UnreadTests.entries[0].dropLast() + #","x":"\#(String(repeating: "x", count: 50_000))"}"#
        let array = "[" + Array(repeating: entry, count: 60).joined(separator: between) + "]\n"
        expect(try Scan.text(UnreadTests.lines + array + UnreadTests.lines), read: 66, unread: 0)
        var options = ScanOptions()
        options.maxRecordBytes = 60_000
        expect(try Scan.bytes(Array((UnreadTests.lines + array).utf8), options: options), read: 63, unread: 0)
    }

    @Test(arguments: [
        "[\(entries.joined(separator: ","))]", entries.joined(separator: "\n"),
        "{\"entries\":[\(entries.joined(separator: ","))]}", "[\n  \(entries.joined(separator: ",\n  "))\n]",
    ])
    func batchesOfMessages(data: String) throws {
        for bytes in [Array(data.utf8), Gzip.member(Array(data.utf8))] {
            let message = UnreadTests.message(bytes)
            expect(try Scan.text(message + message), read: 12, unread: 0)
            expect(try Scan.text(UnreadTests.lines + message), read: 9, unread: 0)
        }
    }

    /// Bytes between two members cost nothing of either.
    @Test(arguments: ["\n", "garbage", "\u{1F}", "PK\u{3}\u{4}"])
    func garbageBetweenMembers(garbage: String) throws {
        let member = Gzip.member(Array(UnreadTests.lines.utf8))
        let scan = try Scan.bytes(member + Array(garbage.utf8) + member + Array(garbage.utf8) + member)
        #expect(scan.found.count == 9)
        #expect(scan.summary.faults == .damaged)
    }

    // MARK: Bad lines

    /// An extra bracket costs the line that it is in.
    @Test(arguments: [
        "[[[", "[", "{", "[{", "{\"insertId\":", "{\"insertId\":\"1\",", "[[[{\"insertId\":\"1\",\"labels\":{}}",
        "{\"labels\":{",
        "[{\"insertId\":\"1\"},", "{\"entries\":[", "{\"entries\":[{\"insertId\":\"1\"}", "[[[\"", "{\"logName\":\"x",
        "[1,", "[[1,2],",
    ])
    func badLines(bad: String) throws {
        let lines = UnreadTests.lines
        for text in [lines + bad + "\n" + lines, lines + bad + "\n" + bad + "\n" + lines + bad] {
            expect(try Scan.text(text), read: 6, unread: 0, "\(bad)")
        }
        let array = UnreadTests.text(.gcloudArray)
        expect(try Scan.text(lines + bad + "\n" + array + "\n" + lines), read: 12, unread: 0, "\(bad) and an array")
    }

    /// Many bad lines take no more than a multiple of the time.
    @Test(.timeLimit(.minutes(5)))
    func manyBadLines() throws {
        let bad = String(repeating: "[{\"insertId\":1},\n", count: 200_000)
        #expect(try Scan.text(UnreadTests.lines + bad + UnreadTests.lines).found.count >= 3)
    }

    // MARK: What is not read

    private static let wrappers = [
        #"{"records":[\#(entries.joined(separator: ","))]}"#,
        #"{"logs":{"entries":[\#(entries.joined(separator: ","))]}}"#,
        "{\n  \"records\": [\n\(entries.joined(separator: ",\n"))\n  ]\n}",
    ]

    @Test(arguments: wrappers)
    func wrappersCountByTheirLabels(wrapper: String) throws {
        expect(try Scan.text(wrapper), read: 0, unread: 6)
        expect(try Scan.text(UnreadTests.lines + wrapper + "\n" + UnreadTests.lines), read: 6, unread: 6)
        expect(try Scan.text("[\(UnreadTests.entries[0]),\(wrapper)]"), read: 1, unread: 6)
        expect(try Scan.text(UnreadTests.batch(wrapper)), read: 0, unread: 6)
    }

    private static var cells: [[String: Any]] {
        entries.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }
    private static let columns = cells[0].keys.sorted()

    private static func json(_ value: Any) -> String {
        (try? JSONSerialization.data(withJSONObject: value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static var rows: [[Any]] { cells.map { row in columns.map { row[$0] ?? "" } } }
    private static let tables: [String] = [
        // By columns: pandas, pyarrow, polars, ClickHouse's JSONColumns.
        json(
            Dictionary(
                uniqueKeysWithValues: columns.map { name in
                    (name, Dictionary(uniqueKeysWithValues: cells.enumerated().map { ("\($0)", $1[name] ?? "") }))
                })),
        json(Dictionary(uniqueKeysWithValues: columns.map { name in (name, cells.map { $0[name] ?? "" }) })),
        json(columns.map { name in cells.map { $0[name] ?? "" } }),
        // Rows as lists, in one list and on lines; payloads alone; pairs.
        json(rows), rows.map(json).joined(separator: "\n"), json(["columns": columns, "data": rows]),
        cells.map { json([$0["labels"], $0["jsonPayload"]]) }.joined(separator: "\n"),
        cells.map { row in json(columns.map { [$0, row[$0] ?? ""] }) }.joined(separator: "\n"),
        // One level deeper, in what an entry may have.
        cells.map { json(["timestamp": "2026-10-14T12:00:00Z", "jsonPayload": $0]) }.joined(separator: "\n"),
        cells.map { json(["insertId": "1", "resource": $0]) }.joined(separator: "\n"),
        cells.map { json(["severity": "INFO", "labels": $0]) }.joined(separator: "\n"),
        // Beside the elements of a page.
        "{\"entries\":[],\"others\":\(json(cells))}",
    ]

    /// Each label counts once, and no row twice, wherever chunks end.
    @Test(arguments: tables)
    func tablesCountByTheirLabels(table: String) throws {
        expect(try Scan.text(table), read: 0, unread: 6)
        let text = Array((UnreadTests.lines + table + "\n" + UnreadTests.lines).utf8)
        for size in [1, 7, 64, 1000, 1 << 18] {
            var options = ScanOptions()
            options.chunkBytes = size
            expect(try Scan.bytes(text, options: options), read: 6, unread: 6, "chunks of \(size)")
        }
        var strict = ScanOptions()
        strict.isStrict = true
        expect(try Scan.bytes(text, options: strict), read: 6, unread: 6, "strict")
    }

    /// What a function logs is its own, whatever it quotes, and wherever.
    @Test func quotedLabelsAreRead() throws {
        let quote = UnreadTests.entries[0]
        let others = [
            EntryText.application("callable-request-verification"),
            EntryText.application("x").with("jsonPayload", "{\"log\":\(quote)}").with("textPayload", nil),
            EntryText.application("x").with("textPayload", nil)
                .with("httpRequest", #"{"requestUrl":"https://x/?callable-request-verification"}"#),
            EntryText.application("x").with("textPayload", nil)
                .with("protoPayload", #"{"filter":"labels.a=\"callable-request-verification\""}"#),
        ]
        expect(try Scan.text(UnreadTests.lines + others.map(\.text).joined(separator: "\n")), read: 3, unread: 0)
        let line = #"{"severity":"INFO","message":"callable-request-verification"}"#
        expect(try Scan.text(UnreadTests.lines + line), read: 3, unread: 0)
    }

    /// A projection is none of an entry's own records, whichever keys it keeps.
    @Test(arguments: [
        [], ["ts"], ["timestamp"], ["insertId"], ["logName", "timestamp"], ["severity"], ["resource", "timestamp"],
        ["insertId", "resource", "severity", "timestamp", "logName"], ["timestamp", "severity", "message"],
    ])
    func projectionsAreNotRecords(keys: [String]) throws {
        for cell in UnreadTests.cells {
            var row = cell.filter { keys.contains($0.key) }
            if keys.contains("ts") { row["ts"] = "2026-10-14T12:00:00Z" }
            if keys.contains("message") { row["message"] = "Callable request verification passed" }
            for statuses: [String: Any] in [["app": "MISSING", "auth": "VALID"], ["v": ["x": "INVALID"]]] {
                let projection = UnreadTests.json(row.merging(statuses) { $1 })
                for text in [UnreadTests.lines + projection, "[\(projection),\(UnreadTests.entries[0])]"] {
                    let scan = try Scan.text(text)
                    #expect(!scan.summary.unread.isEmpty && scan.summary.unexpected == 1, "\(projection)")
                }
            }
        }
    }

    @Test func malformedOversizedAndUnexpectedRecordsCountAtLeastOne() throws {
        let entry = UnreadTests.entries[0]
        expect(try Scan.text("\(UnreadTests.lines){\"event\":\(entry)}\nx\(entry)\n"), read: 3, unread: 2)
        expect(try Scan.text("\(UnreadTests.lines)x\(entry)\(entry)\n"), read: 3, unread: 2)
        var options = ScanOptions()
        options.maxRecordBytes = 5000
        let long =
            #"{"x":"\#(String(repeating: "y", count: 6000))","a":[\#(UnreadTests.entries.joined(separator: ","))]}"#
        for text in ["\(UnreadTests.lines)\(long)\n", "[\(UnreadTests.entries[0]),\(long)]"] {
            for size in [100, 1 << 18] {
                options.chunkBytes = size
                let scan = try Scan.bytes(Array(text.utf8), options: options)
                #expect(scan.summary.oversized == 1)
                #expect(scan.summary.unread.total == 6)
            }
        }
    }

    /// An escape spells the same label.
    @Test func labelsAreCountedHoweverTheyAreSpelled() throws {
        let spelled = UnreadTests.wrappers[0].replacing("callable-request", with: "callable\\u002drequest")
        expect(try Scan.text(spelled), read: 0, unread: 6)
    }

    /// How many verifications a message contains is unknown if it cannot be unpacked.
    @Test func messagesThatCannotBeUnpacked() throws {
        var packed = Gzip.member(Array(UnreadTests.entries.joined(separator: "\n").utf8))
        packed[packed.count / 2] ^= 0xFF
        let long = Array("[\(String(repeating: UnreadTests.entries[0] + ",", count: 3000))1]".utf8)
        let two = Gzip.member(Array(UnreadTests.entries[0].utf8)) + Gzip.member(Array(UnreadTests.entries[1].utf8))
        for data in [packed, Gzip.member(long), two] {
            expect(try Scan.text(UnreadTests.lines + UnreadTests.message(data)), read: 3, unread: nil)
        }
        expect(try Scan.text(UnreadTests.batch(UnreadTests.entries.joined(separator: "\n") + "{")), read: 0, unread: 6)
    }

    /// A file that is still being written ends in the middle of a record.
    @Test func theLastRecordMayBeIncomplete() throws {
        for text in [UnreadTests.lines, "[" + UnreadTests.lines.split(separator: "\n").joined(separator: ",") + ","] {
            let scan = try Scan.text(text + UnreadTests.entries[0].dropLast(3))
            #expect(scan.summary.malformed == 1)
            expect(scan, read: 3, unread: 0)
        }
        expect(try Scan.text(UnreadTests.lines + "x" + UnreadTests.entries[0]), read: 3, unread: 1)
    }

    /// Text of consoles, and formats that cannot be read.
    @Test func textCounts() throws {
        let console = "WARNING:root:Callable request verification passed: {'app': 'MISSING', 'auth': 'VALID'}\n"
        expect(try Scan.text("[\(UnreadTests.entries[0])]\n" + console + console), read: 1, unread: 2)
        let yaml = "---\ninsertId: a\nlabels:\n  firebase-log-type: callable-request-verification\n"
        expect(try Scan.text(yaml + yaml), read: 0, unread: 2)
    }

    // MARK: Times

    /// A time before 2016 is not accepted as a time.
    @Test(arguments: [
        ("2015-12-31T23:59:59.999Z", false), ("2016-01-01T00:00:00Z", true), ("1970-01-01T00:00:00Z", false),
    ])
    func times(time: String, isTime: Bool) throws {
        let entry = EntryText.first("f").with("timestamp", "\"\(time)\"").with("receiveTimestamp", nil).text
        #expect(try Scan.text(entry).found.map { $0.instant != nil } == [isTime])
        let received = EntryText.first("f").with("timestamp", nil).with("receiveTimestamp", "\"\(time)\"").text
        #expect(try Scan.text(received).found.map { $0.instant != nil } == [isTime])
    }
}
