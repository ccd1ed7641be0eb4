import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// A page without elements adds no record, wherever it is and however it says that it has none.
@Suite struct EmptyPageTests {
    private static let entry = EntryText.first().text

    private static let pages = [
        #"{"entries":null}"#, #"{"entries":[]}"#, #"{ "entries" : [ ] }"#, #"{"receivedMessages":null}"#,
        #"{"receivedMessages":[]}"#, #"{"entries":null,"nextPageToken":"EAE4"}"#,
        #"{"nextPageToken":"EAE4","entries":null}"#, #"{"suppressionInfo":[],"entries":[]}"#,
    ]

    /// As the first value, as a later one, alone, in an array, and several on a line.
    @Test(arguments: pages)
    func countsNothing(page: String) throws {
        let entry = EmptyPageTests.entry
        let texts = [
            page, page + "\n", "\(page)\n\(entry)\n", "\(entry)\n\(page)\n\(entry)\n", "\(entry)\n\(page) \(page)\n",
            "\(entry)\(page)\(entry)", "[\(page),\(entry)]", "[\n  \(entry),\n  \(page)\n]\n",
            pretty(page, by: 2) + "\n" + pretty(entry, by: 2),
        ]
        for text in texts {
            let entries = text.components(separatedBy: "insertId").count - 1
            for isStrict in [false, true] {
                var options = ScanOptions()
                options.isStrict = isStrict
                let scan = try Scan.text(text, options: options)
                #expect(scan.found.count == entries, "\(text)")
                #expect(scan.summary.records == entries, "\(text)")
                // What names a next page is not the last one.
                #expect(scan.kinds == (page.contains("EAE4") ? [.cutPull] : []), "\(text)")
                for size in [1, 7, 64] {
                    let pieces = Scan.recognised(Array(text.utf8), inPiecesOf: size, options: options)
                    #expect(pieces.summary.records == entries, "pieces of \(size): \(text)")
                }
            }
        }
    }

    @Test(arguments: [
        #"{"entries":0}"#, #"{"entries":null,"other":1}"#, #"{"entries":"[]"}"#, #"{"entries":{}}"#, #"{"other":null}"#,
    ])
    func otherObjectsAreRecords(object: String) throws {
        for text in [object, "\(EmptyPageTests.entry)\n\(object)\n", "[\(EmptyPageTests.entry),\(object)]"] {
            let scan = try Scan.text(text)
            #expect(scan.summary.records == scan.found.count + 1, "\(text)")
        }
    }
}
