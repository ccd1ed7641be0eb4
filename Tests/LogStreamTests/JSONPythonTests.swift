import TestSupport
import Testing

@testable import LogStream

/// Our scanner against Python's json, on generated documents and on damaged ones, and its strings against Python's.
@Suite(.enabled(if: ExternalTool.python.isExpected, "python3 is not installed"))
struct JSONPythonTests {
    @Test func documentsAreJudgedAlike() throws {
        var random = SeededGenerator(seed: 2026)
        let documents = (0..<12_000).map { index in
            let document = JSONText.document(depth: 4, using: &random)
            return index % 4 == 0 ? document : JSONText.mutated(document, using: &random)
        }
        let answers = try Python.answers(to: documents, expression: "'accepted'")
        #expect(answers.count == documents.count)
        for (document, answer) in zip(documents, answers) {
            let ours = JSONText.isOneValue(document) ? "accepted" : "refused"
            #expect(ours == answer, "\(String(decoding: document, as: UTF8.self).debugDescription)")
        }
        #expect(answers.count { $0 == "accepted" } > 3000)
        #expect(answers.count { $0 == "refused" } > 3000)
    }

    /// RFC 8259 forbids these, or leaves limits to the reader, and Python's json reads them.
    @Test(arguments: [
        "NaN", "Infinity", "-Infinity", "[NaN]",
        String(repeating: "[", count: 513) + String(repeating: "]", count: 513),
    ])
    func acceptedByPythonAlone(document: String) throws {
        let document = Array(document.utf8)
        #expect(try Python.answers(to: [document], expression: "'accepted'") == ["accepted"])
        #expect(!JSONText.isOneValue(document))
    }

    /// RFC 8259 allows 4301 digits; Python converts at most 4300.
    @Test func acceptedByOursAlone() throws {
        let document = [UInt8](repeating: UInt8(ascii: "7"), count: 4301)
        #expect(try Python.answers(to: [document], expression: "'accepted'") == ["refused"])
        #expect(JSONText.isOneValue(document))
    }

    /// The meaning of every escape, pairs and lone surrogates among them, which become U+FFFD.
    @Test func stringsMeanTheSame() throws {
        var random = SeededGenerator(seed: 41)
        let parts =
            [
                #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#, "a", "é", "日", "😀", "0", "u", "d83d",
                "\u{7F}",
            ]
            + [
                #"\u0000"#, #"\u0041"#, #"\u00e9"#, #"\u00E9"#, #"\u07ff"#, #"\u0800"#, #"\uffff"#, #"\uFFFE"#,
                #"\ud7ff"#, #"\ue000"#,
            ]
            + [
                #"\ud83d"#, #"\uDE00"#, #"\ud83d\ude00"#, #"\uD800\uDC00"#, #"\udbff\udfff"#, #"\udc00\ud800"#,
                #"\ud800\ud800"#,
            ]
        let spellings = (0..<4000).map { _ in
            (0..<Int.random(in: 0...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
        // Python keeps lone surrogates; each of them is one U+FFFD here.
        let scalars = "''.join('\\ufffd' if 0xd800 <= ord(c) < 0xe000 else c for c in value)"
        let answers = try Python.answers(
            to: spellings.map { Array("\"\($0)\"".utf8) }, expression: "'x' + \(scalars).encode('utf-8').hex()")
        #expect(answers.count == spellings.count)
        for (spelling, answer) in zip(spellings, answers) {
            let scratch = TextScratch()
            let ours = withText(Array(spelling.utf8)) { text in
                scratch.decode(text).withSpan { span in
                    "x" + Python.hexadecimal(span.indices.map { span[$0] })
                }
            }
            #expect(ours == answer, "\(spelling)")
        }
    }
}
