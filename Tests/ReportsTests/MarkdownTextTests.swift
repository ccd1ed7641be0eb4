import Testing

@testable import Reports

@Suite struct MarkdownTextTests {
    @Test(
        arguments: [
            ("addMessage", "`addMessage`"), ("a_b*c", "`a_b*c`"), ("<b>&", "`<b>&`"), ("a|b", "`a<U+007C>b`"),
            ("a`b``", "`a<U+0060>b<U+0060><U+0060>`"), ("a\\", "`a<U+005C>`"), ("$x$", "`<U+0024>x<U+0024>`"),
            (" a b ", "`<U+0020>a b<U+0020>`"), (" ", "`<U+0020>`"), ("", "`\"\"`"), ("a\nb", "`a<U+000A>b`"),
            ("|\u{301}", "`<U+007C>\u{301}`"), ("`\u{301}x", "`<U+0060>\u{301}x`"),
        ])
    func namesAreCodeSpans(name: String, span: String) {
        #expect(MarkdownText.code(name).unicodeScalars.elementsEqual(span.unicodeScalars))
    }

    @Test(
        arguments: [
            ("plain, (words): 1%!", "plain, (words): 1%!"), ("<0.1% & >99.9%", "&lt;0.1% &amp; &gt;99.9%"),
            (
                "*a* _b_ `c` [d] ~e~ |f| $g$ \\",
                "&#42;a&#42; &#95;b&#95; &#96;c&#96; &#91;d&#93; &#126;e&#126; &#124;f&#124; &#36;g&#36; &#92;"
            ),
            ("see http://x.y and WWW.x.y", "see http&#58;//x.y and WWW&#46;x.y"), ("a@b", "a&#64;b"), (".", "."),
            ("w. ww.", "w. ww."),
            ("*\u{301}", "&#42;\u{301}"),
        ])
    func wordsBeginNoMarkup(words: String, text: String) {
        #expect(MarkdownText.words(words).unicodeScalars.elementsEqual(text.unicodeScalars))
    }
}
