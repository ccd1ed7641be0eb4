import Testing

@testable import Reports

/// Everything that is inserted into a page is text, and nothing else.
@Suite struct HTMLTextTests {
    /// Each character that means something in HTML, alone and under a combining mark, which makes it another character.
    @Test(arguments: ["&", "<", ">", "\"", "'"], ["", "\u{301}", "\u{338}", "\u{20dd}"])
    func metacharactersAreEscaped(character: String, mark: String) throws {
        let escaped = HTMLText.escaped("a\(character)\(mark)b")
        #expect(escaped.utf8.allSatisfy { $0 < 0x80 && !"<>\"'".utf8.contains($0) })
        let references = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        let reference = try #require(references[character])
        #expect(escaped.hasPrefix("a\(reference)"))
        #expect(escaped.hasSuffix("b"))
    }

    @Test func whatIsNotInertIsSpelledOut() {
        #expect(HTMLText.escaped("a\u{0}b\u{202e}c\n") == "a&lt;U+0000&gt;b&lt;U+202E&gt;c&lt;U+000A&gt;")
        #expect(HTMLText.escaped("naïve 日本語 – 1,204 ≤ 1%") == "naïve 日本語 – 1,204 ≤ 1%")
        #expect(HTMLText.escaped("") == "")
    }

    @Test func wordingIsText() {
        let wording: Wording = "a < \(name: "<b>") & \(code: "x > \"y\"")"
        #expect(
            wording.html
                == "a &lt; <b class=\"name\">&lt;b&gt;</b> &amp; <code>x &gt; &quot;y&quot;</code>")
    }
}
