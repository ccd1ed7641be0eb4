import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// A source that ends before the log does says so.
@Suite struct PullEndTests {
    /// Entries a second apart, the newest first.
    private static func entries(_ count: Int) -> [String] {
        (0..<count).map { number in
            let second = count - number
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let time = "2026-10-14T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
            return EntryText.first(id: "id-\(second)", time: time).text
        }
    }

    private static func array(_ entries: [String]) -> String { "[" + entries.joined(separator: ",\n") + "]" }

    private func isCut(_ text: String) throws -> Bool {
        let scan = try Scan.text(text)
        #expect(scan.kinds == [] || scan.kinds == [.cutPull])
        if !scan.found.isEmpty { #expect((scan.summary.unread.cutAt == nil) == scan.kinds.isEmpty) }
        return !scan.kinds.isEmpty
    }

    @Test func pages() throws {
        let entry = EntryText.first().text
        let more = #"{"entries":[\#(entry)],"nextPageToken":"EAE4"}"#
        let tokenFirst = #"{"nextPageToken":"EAE4","entries":[\#(entry)]}"#
        let last = #"{"entries":[\#(entry)]}"#
        for page in [more, tokenFirst, #"{"nextPageToken":"EAE4"}"#] {
            #expect(try isCut(last + "\n" + page))
            #expect(try isCut("[\(last),\(page)]"))
            #expect(try isCut(pretty(page, by: 2)))
            for end in [last, "{}", #"{"entries":[\#(entry)],"nextPageToken":""}"#, #"{"entries":null}"#] {
                #expect(try !isCut(page + "\n" + end))
            }
        }
    }

    @Test(arguments: [999, 1000, 1001, 5000])
    func arrays(count: Int) throws {
        let entries = PullEndTests.entries(count)
        #expect(try isCut(PullEndTests.array(entries)) == (count % 1000 == 0))
        // The newest are missing, which the time of the run shows.
        #expect(try !isCut(PullEndTests.array(entries.reversed())))
        #expect(try !isCut(entries.joined(separator: "\n")))
    }

    /// What was seen of a source says nothing of the next one, which may not even be there.
    @Test func nextSource() throws {
        let page = try MemoryFile(Array(#"{"entries":[\#(EntryText.first().text)],"nextPageToken":"EAE4"}"#.utf8))
        var scanner = RecordReader(options: ScanOptions(), sink: RecordingSink())
        let kinds = [page.path, page.path + "-missing"].map { path in
            scanner.scan(.file(path), isPipelined: false, progress: ReadProgress()).summary.problems.entries.map(\.kind)
        }
        #expect(kinds == [[.cutPull], [.unreadable]])
    }

    @Test func oldestEntry() throws {
        let scan = try Scan.text(PullEndTests.array(PullEndTests.entries(1000)))
        #expect(scan.summary.unread.cutAt == Instant(timestamp: "2026-10-14T00:00:01Z"))
        #expect(scan.summary.isWhole)
    }

    /// A cut file says so, wherever it was cut; what is still whole does not.
    @Test(arguments: Layout.allCases)
    func cutFiles(layout: Layout) throws {
        let text = String(decoding: layout.log(PullEndTests.entries(3)).bytes, as: UTF8.self)
        let records = text.ranges(of: "insertId")
        guard records.count == 3 else { return }
        let end = try #require(text.range(of: "id-1", options: .backwards))
        let cut = try Scan.text(String(text[..<end.upperBound]))
        #expect(cut.kinds.contains(.incompleteRecord), "\(layout)")
        #expect(cut.summary.faults == [])
        #expect(try !Scan.text(text).kinds.contains(.incompleteRecord))
        #expect(try !Scan.text(text + "\n\n").kinds.contains(.incompleteRecord))
    }

    @Test func cutLines() throws {
        let line = #"2026-09-07T15:52:06.436708Z D add: {"message":"Callable request verification passed","#
        #expect(try Scan.text(line).kinds.contains(.incompleteRecord))
        #expect(try !Scan.text(EntryText.first().text + " broken").kinds.contains(.incompleteRecord))
    }
}
