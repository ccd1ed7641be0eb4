import TestSupport
import Testing
import Verifications

@testable import LogStream

/// The same records give the same counts in every layout, in any pieces and wrappers.
@Suite struct LayoutTests {
    /// What a record must count as.
    private struct Model {
        var text: String
        var records = 1
        var name: String?
    }

    private static let models: [Model] = [
        Model(text: EntryText.first("plain", id: "1").text, name: "plain"),
        Model(text: EntryText.second("second", id: "2", label: nil).text, name: "second"),
        Model(text: EntryText.application(#"a \"quoted\" {brace}, [bracket] and }\n{\n and \\"#).text),
        Model(
            text: EntryText.first("escaped", id: "3").with(
                "labels", #"{"firebase-log-type":"\u0063allable-request-verificatio\u006e"}"#
            ).with("jsonPayload", #"{"verifications":{"app":"VALID","auth":"VALID"}}"#).text, name: "escaped"),
        Model(
            text: EntryText.first("strings", id: "4").adding("note", #""},\n  {\"insertId\":\"x\"},[{\\""#).text,
            name: "strings"),
        Model(
            text: EntryText.first("deep", id: "5").adding(
                "deep", String(repeating: #"[{"a":"#, count: 40) + "1" + String(repeating: "}]", count: 40)
            ).text, name: "deep"),
        Model(text: EntryText.application("callable-request-verification").text),
        Model(
            text: #"{"labels":{"firebase-log-type":"callable-request-verification"},"verifications":{"app":"VALID"}}"#,
            name: "-"),
        Model(text: "{}", records: 0),
        Model(text: "[]", records: 0),
        Model(text: "1"), Model(text: "-0.5e+10"), Model(text: "null"), Model(text: "true"), Model(text: "[1]"),
        Model(text: #""text, {with} \"quotes\" and \\""#), Model(text: #""""#), Model(text: #"["x"]"#),
        Model(text: #"{"a":{}}"#), Model(text: #"{"a":[]}"#), Model(text: #"{"a":[{"b":1},{"c":2}]}"#),
    ]

    /// A few records, a whole one in front: what starts a source decides how it is read.
    private static func some(using random: inout SeededGenerator) -> [Model] {
        let count = Int.random(in: 0...9, using: &random)
        return [models[0]] + (0..<count).map { _ in models[Int.random(in: 0..<models.count, using: &random)] }
    }

    /// Numbers run together when they are glued.
    private static func canBe(_ layout: Layout, _ models: [Model]) -> Bool {
        (layout != .glued && layout != .severalPerLine) || models.allSatisfy { "{[\"".contains($0.text.first ?? " ") }
    }

    /// Messages hide what they hold: an empty object in one is a record.
    private static func records(of models: [Model], in layout: Layout) -> Int {
        layout.isPulled ? models.count : models.reduce(0) { $0 + $1.records }
    }

    @Test(arguments: Layout.allCases)
    func countsAgree(layout: Layout) throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<8 {
            let models = LayoutTests.some(using: &random)
            guard LayoutTests.canBe(layout, models) else { continue }
            let bytes = layout.log(models.map(\.text)).bytes
            let whole = Scan.recognised(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(whole.found.map(\.identity.name) == models.compactMap(\.name), "\(layout): \(text)")
            // A line that need not be parsed is one record, however many values it holds.
            if layout != .severalPerLine {
                #expect(whole.summary.records == LayoutTests.records(of: models, in: layout), "\(layout): \(text)")
            }
            #expect(whole.summary.malformed == 0)
            #expect(whole.kinds == (layout.isOpen ? [.unterminatedArray] : []), "\(layout): \(text)")
            for size in [1, 2, 3, 7, 64, 4096] {
                #expect(Scan.recognised(bytes, inPiecesOf: size) == whole, "\(layout), pieces of \(size): \(text)")
            }
        }
    }

    /// Every record is JSON, so that a strict scan finds nothing to complain about.
    @Test(arguments: Layout.allCases)
    func strictScansAgree(layout: Layout) throws {
        var options = ScanOptions()
        options.isStrict = true
        let models = LayoutTests.models.filter { LayoutTests.canBe(layout, [$0]) }
        let scan = Scan.recognised(layout.log(models.map(\.text)).bytes, options: options)
        #expect(scan.summary.malformed == 0)
        #expect(scan.summary.records == LayoutTests.records(of: models, in: layout))
        #expect(scan.found.count == models.count { $0.name != nil })
    }

    @Test(arguments: Layout.allCases, [false, true])
    func wrappersAndThreadsChangeNothing(layout: Layout, isPipelined: Bool) throws {
        let models = LayoutTests.models.filter { LayoutTests.canBe(layout, [$0]) }
        let plain = layout.log(Array(repeating: models.map(\.text), count: 30).flatMap { $0 }).bytes
        let half = plain.count / 2 + 1
        let members = Gzip.member(Array(plain[..<half])) + Gzip.member(Array(plain[half...]), level: 1)
        let whole = try Scan.bytes(plain)
        if layout != .severalPerLine {
            #expect(whole.summary.records == LayoutTests.records(of: models, in: layout) * 30)
        }
        #expect(whole.found.count == models.count { $0.name != nil } * 30)
        for size in [100, 4096, 65_536] {
            var options = ScanOptions()
            options.chunkBytes = size
            #expect(try Scan.bytes(plain, options: options, isPipelined: isPipelined) == whole)
            #expect(try Scan.bytes(members, options: options, isPipelined: isPipelined).content == whole.content)
        }
    }
}
