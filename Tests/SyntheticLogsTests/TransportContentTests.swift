import Foundation
import SyntheticLogs
import Testing

/// What transports in JSON hold, read with Foundation: the very entries that a sink writes.
@Suite struct TransportContentTests {
    private static let scenario = Scenario.everyStatus(seed: 41).scaled(by: 0.25)

    private func entries() throws -> [NSDictionary] {
        try TransportContentTests.scenario.lines().lines.map { try dictionary(Data($0.utf8)) }
    }

    private func text(_ transport: Transport) throws -> String {
        let collected = Collected()
        _ = try TransportContentTests.scenario.write(as: transport) { collected.bytes += $1 }
        return String(decoding: collected.bytes, as: UTF8.self)
    }

    @Test(arguments: [Transport.gcloudRead, .gcloudTail, .explorerDownload, .array])
    func arrays(transport: Transport) throws {
        let text = try text(transport) + (transport == .gcloudTail ? "]" : "")
        let array = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [NSDictionary])
        #expect(try array == entries())
    }

    @Test func gcloudSortsKeys() throws {
        let text = try text(.gcloudRead)
        #expect(text.hasPrefix("[\n  {\n    \"") && text.hasSuffix("\n  }\n]\n"))
        let keys = text.split(separator: "\n").prefix { $0 != "  }," }
            .filter { $0.hasPrefix("    \"") }.map { String($0.dropFirst(5).prefix { $0 != "\"" }) }
        #expect(keys.count > 5 && keys == keys.sorted())
    }

    @Test func streamOfTail() throws {
        let pages = try #require(
            try JSONSerialization.jsonObject(with: Data(text(.tailStream).utf8)) as? [[String: Any]])
        #expect(try pages.flatMap { $0["entries"] as? [NSDictionary] ?? [] } == entries())
        #expect(pages.contains { $0["suppressionInfo"] != nil && $0["entries"] != nil })
        #expect(pages.contains { $0["suppressionInfo"] != nil && $0["entries"] == nil })
    }

    @Test func listPages() throws {
        let pages = try text(.listPages).replacingOccurrences(of: "\n}\n{\n", with: "\n}\u{0}{\n").split(
            separator: "\0"
        )
        .map { try dictionary(Data($0.utf8)) }
        #expect(try pages.flatMap { $0["entries"] as? [NSDictionary] ?? [] } == entries())
        #expect(pages.contains { $0["entries"] == nil && $0["nextPageToken"] != nil })
        #expect(pages.last?["nextPageToken"] == nil)
    }

    @Test func messages() throws {
        var forms: Set<String> = []
        let decoded = try text(.pubSubPush).split(separator: "\n").map { line in
            let message = try #require(try dictionary(Data(line.utf8))["message"] as? NSDictionary)
            if let object = message["data"] as? NSDictionary {
                forms.insert("object")
                return object
            }
            let data = try #require(message["data"] as? String)
            forms.insert(data.contains("-") || data.contains("_") ? "URL" : "standard")
            forms.insert(data.hasSuffix("=") ? "padded" : "bare")
            let base64 = data.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            let padding = String(repeating: "=", count: base64.hasSuffix("=") ? 0 : (4 - base64.count % 4) % 4)
            var bytes = try #require(Data(base64Encoded: base64 + padding))
            if bytes.starts(with: [0x1F, 0x8B]) {
                forms.insert("gzip")
                // The header of a member and of its only block, which is stored; checksum and length.
                bytes = Data(bytes.dropFirst(15).dropLast(8))
            }
            return try dictionary(bytes)
        }
        #expect(try decoded == entries())
        #expect(forms == ["object", "URL", "standard", "padded", "bare", "gzip"])
    }

    @Test func columnsOfLogAnalytics() throws {
        let objects = try text(.logAnalytics).split(separator: "\n").map { try dictionary(Data($0.utf8)) }
        let texts = try text(.logAnalyticsText).split(separator: "\n").map { try dictionary(Data($0.utf8)) }
        let entries = try entries()
        #expect(objects.count == entries.count && texts.count == entries.count)
        for (index, entry) in entries.enumerated() {
            #expect(objects[index]["labels"] as? NSDictionary == entry["labels"] as? NSDictionary)
            #expect(objects[index]["json_payload"] as? NSDictionary == entry["jsonPayload"] as? NSDictionary)
            let column = try #require(texts[index]["labels"] as? String)
            #expect(try dictionary(Data(column.utf8)) == entry["labels"] as? NSDictionary)
        }
    }

    @Test func columnsOfBigQuery() throws {
        let rows = try text(.bigQueryExtract).split(separator: "\n").map { try dictionary(Data($0.utf8)) }
        let labels = rows.compactMap { $0["labels"] as? [String: String] }
        #expect(labels.contains { $0["firebase_log_type"] == "callable-request-verification" })
        #expect(labels.allSatisfy { $0.keys.allSatisfy { $0 == $0.lowercased() && !$0.contains("-") } })
        let status = rows.compactMap { ($0["httpRequest"] as? NSDictionary)?["status"] }
        #expect(!status.isEmpty && status.allSatisfy { $0 is String })
        #expect(rows.allSatisfy { ($0["timestamp"] as? String)?.hasSuffix(" UTC") == true })
        #expect(try text(.bigQueryExtract).contains("<") == false)
    }

    private func dictionary(_ data: Data) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }
}
