import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Base64 hides an entry from every search: a message must be opened wherever it is.
@Suite struct MessageTests {
    private static let entry = EntryText.first(app: "MISSING").text
    private static let data = base64(entry)
    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    private static let application = EntryText.application("hello").text

    private static let message = #"{"data":"\#(data)","messageId":"1"}"#

    @Test(arguments: [
        #"{"message":\#(message)}"#, #"{"subscription":"s","message":\#(message)}"#,
        #"{"deliveryAttempt":2,"message":\#(message)}"#, #"{"ackId":"a","message":\#(message)}"#,
        #"{"message":{"messageId":"1","attributes":{"data":"x"},"data":"\#(data)"}}"#,
        #"{"message":{"data":\#(entry)}}"#, #"{"message":{"data":"\#(entry.replacing("\"", with: "\\\""))"}}"#,
        message, #"{"attributes":{},"data":"\#(data)"}"#, #"{"messageId":"1","data":"\#(data)"}"#,
        #"{"orderingKey":"k","data":"\#(data)","publishTime":"2026-10-14T12:00:00Z"}"#,
        #"{"data":\#(entry),"messageId":"1"}"#,
        #"{"specversion":"1.0","data":{"message":\#(message)}}"#, #"{"specversion":"1.0","data":\#(entry)}"#,
    ])
    func everyShape(text: String) throws {
        let alone = [text, "[\(text)]", "[\n  \(text),\n  \(text)\n]", text + text]
        let inPages = [
            #"{"receivedMessages":[\#(text)]}"#, #"{"receivedMessages":[{"new":1,\#(text.dropFirst())]}"#,
            #"{"nextPageToken":"t"}{"receivedMessages":[\#(text)]}"#,
        ]
        // Among others, in any order: neither the first record nor the container tells.
        let among = ["\(MessageTests.application)\n\(text)", "[\(MessageTests.application),\(text)]"]
        for log in alone + inPages + among {
            let scan = try Scan.text(log)
            #expect(scan.found.count >= 1, "\(log)")
            #expect(scan.found.allSatisfy { $0.app == .missing && $0.identity.name == "addMessage" })
            #expect(scan.kinds == [])
        }
    }

    /// Both alphabets, padded or not: texts of three lengths whose base64 contains `+` and `/`.
    @Test(arguments: ["", "?", "??"])
    func alphabets(pad: String) throws {
        let text = EntryText.first(app: "MISSING").with("note", "\"\(pad)?????>>>>>~~~~~\"").text
        let standard = MessageTests.base64(text)
        #expect(standard.contains("+") && standard.contains("/"))
        let safe = standard.replacing("+", with: "-").replacing("/", with: "_")
        for data in [standard, safe, standard.replacing("=", with: ""), safe.replacing("=", with: "")] {
            let scan = try Scan.text(#"{"message":{"data":"\#(data)","messageId":"1"}}"#)
            #expect(scan.found.map(\.app) == [.missing], "\(data)")
            #expect(scan.kinds == [])
        }
    }

    /// Nobody can see what a damaged message was about: it is reported, as a verification would be.
    @Test func damagedMessages() throws {
        let whole = #"{"message":\#(MessageTests.message)}"#
        for broken in [
            String(whole.dropLast(20)), whole.replacing(MessageTests.data, with: "\(MessageTests.data)!!!"),
            whole.replacing("\",\"messageId", with: ",\"messageId"),
            whole.replacing(MessageTests.data, with: "not base64!"),
            whole.replacing(MessageTests.data, with: "eyJ"),
        ] {
            for log in ["\(whole)\n\(broken)\n\(whole)\n", "[\(whole),\n\(broken),\n\(whole)]"] {
                let scan = try Scan.text(log)
                #expect(scan.found.count == 2, "\(log)")
                #expect(scan.summary.malformed == 1, "\(log)")
                #expect(scan.kinds == [.malformedRecord], "\(log)")
            }
        }
    }

    /// An envelope whose first key is unknown is recognised by the source's first record.
    @Test(arguments: ["[", ""])
    func unknownKeysInFront(opening: String) throws {
        for key in ["@type", "id", "timestamp", "x"] {
            let scan = try Scan.text(#"\#(opening){"\#(key)":"y","message":\#(MessageTests.message)}"#)
            #expect(scan.found.map(\.app) == [.missing])
        }
    }

    /// Data that is not an entry is still a record, and not a problem.
    @Test(arguments: ["hello", "", "aGVsbG8=", "e30="])
    func otherData(data: String) throws {
        for text in [#"{"message":{"data":"\#(data)"}}"#, #"{"data":"\#(data)","messageId":"1"}"#] {
            let scan = try Scan.text(text)
            #expect(scan.found == [])
            #expect(scan.summary.records == 1)
            #expect(scan.kinds == [])
        }
    }

    /// Gzip makes a thousand bytes out of one, and no entry is as long as that: such a message is reported without
    /// being unpacked, and the ones around it are counted.
    @Test(arguments: [0, 1, 15 << 20])
    func longData(excess: Int) throws {
        let bare = EntryText.first().with("x", "\"\"").text
        let pad = String(repeating: "x", count: PubSub.longestEntry + excess - bare.utf8.count)
        let entry = EntryText.first().with("x", "\"\(pad)\"").text
        let data = Data(Gzip.member(Array(entry.utf8))).base64EncodedString()
        let whole = #"{"message":\#(MessageTests.message)}"#
        let scan = try Scan.text("\(whole)\n\(whole.replacing(MessageTests.data, with: data))\n\(whole)\n")
        #expect(scan.found.count == (excess == 0 ? 3 : 2))
        #expect(scan.summary.malformed == (excess == 0 ? 0 : 1))
        let wording = ProblemWording.malformed(.dataTooLong, limit: ScanOptions().maxRecordBytes)
        #expect(scan.summary.problems.entries.map(\.detail) == (excess == 0 ? [] : [wording]))
    }

    /// A source's messages may unpack to so much and no more, whatever each of them promises; the others are counted.
    @Test func denseData() throws {
        let pad = String(repeating: "x", count: PubSub.longestEntry - 1000)
        let entry = EntryText.first().with("x", "\"\(pad)\"").text
        let dense = Data(Gzip.member(Array(entry.utf8))).base64EncodedString()
        let whole = #"{"message":\#(MessageTests.message)}"#
        let lines = Array(repeating: whole.replacing(MessageTests.data, with: dense), count: 40) + [whole]
        let scan = try Scan.text(lines.joined(separator: "\n"))
        #expect(scan.summary.records == 41)
        let unpacked = scan.found.count - 1
        #expect((16...18).contains(unpacked))
        #expect(scan.summary.malformed == 40 - unpacked)
        #expect(scan.summary.unread.total == nil)
        #expect(scan.summary.problems.entries.first?.detail.contains("32 times") == true)
    }

    /// A message may hold a batch; what cannot be read as entries, and shows a verification, is reported.
    @Test(arguments: [("[ENTRY]", 1), ("ENTRY\nENTRY", 2), ("ENTRYx", 0), (" [ENTRY", 0)])
    func severalEntriesInOneMessage(text: String, count: Int) throws {
        let data = MessageTests.base64(text.replacing("ENTRY", with: MessageTests.entry))
        let scan = try Scan.text(#"{"message":{"data":"\#(data)"}}"#)
        #expect(scan.found.count == count)
        #expect(scan.kinds == (count == 0 ? [.malformedRecord] : []))
    }

    /// The keys of messages mean nothing in an entry, or in an application's own line.
    @Test(arguments: [
        #"{"insertId":"1","data":"\#(data)","messageId":"1"}"#, #"{"data":\#(entry)}"#,
        #"{"severity":"INFO","data":\#(entry)}"#,
    ])
    func dataThatIsNoMessage(text: String) throws {
        #expect(try Scan.text(text).found == [])
    }

    @Test(arguments: [
        (#""attributes":{"logging.googleapis.com/timestamp":"2026-10-01T00:00:00.5Z"},"#, "2026-10-01T00:00:00.5Z"),
        (#""attributes":{"other":"2026-10-01T00:00:00.5Z"},"#, "2026-10-02T00:00:00Z"),
        (#""attributes":null,"#, "2026-10-02T00:00:00Z"), ("", "2026-10-02T00:00:00Z"),
    ])
    func theTimeOfTheTransport(attributes: String, time: String) throws {
        let undated = MessageTests.base64(EntryText.first().with("timestamp", nil).with("receiveTimestamp", nil).text)
        let message = #"{\#(attributes)"data":"\#(undated)","publishTime":"2026-10-02T00:00:00Z"}"#
        for text in [message, #"{"message":\#(message)}"#] {
            #expect(try Scan.text(text).found.map(\.instant) == [Instant(timestamp: time)])
        }
        // The entry's own time comes first.
        let dated = #"{"message":{\#(attributes)"data":"\#(MessageTests.data)","publishTime":"2026-10-02T00:00:00Z"}}"#
        #expect(try Scan.text(dated).found.map(\.instant) == [Instant(timestamp: "2026-10-14T12:00:00Z")])
    }
}
