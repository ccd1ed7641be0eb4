import Mustache
import Testing

@testable import Reports

/// Whatever a template names is text on the page, and nothing else.
@Suite struct HTMLContentTypeTests {
    /// Each character that means something in HTML, alone and under a combining mark, which makes it another character.
    @Test(arguments: ["&", "<", ">", "\"", "'"], ["", "\u{301}", "\u{338}", "\u{20dd}"])
    func metacharactersAreEscaped(character: String, mark: String) throws {
        let escaped = HTMLContentType().escapeText("a\(character)\(mark)b")
        #expect(escaped.utf8.allSatisfy { $0 < 0x80 && !"<>\"'".utf8.contains($0) })
        let references = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        let reference = try #require(references[character])
        #expect(escaped.hasPrefix("a\(reference)"))
        #expect(escaped.hasSuffix("b"))
    }

    /// What would happen with the engine's own escaping: the reason for ours.
    @Test func theEngineAloneLetsAccentedQuotesThrough() throws {
        let text = "\"\u{301}"
        let theirs = try MustacheTemplate(string: "{{text}}").render(["text": text])
        #expect(theirs.unicodeScalars.contains("\""))
        #expect(!HTMLContentType().escapeText(text).unicodeScalars.contains("\""))
    }

    @Test func whatIsNotInertIsSpelledOut() {
        #expect(HTMLContentType().escapeText("a\u{0}b\u{202e}c\n") == "a&lt;U+0000&gt;b&lt;U+202E&gt;c&lt;U+000A&gt;")
        #expect(HTMLContentType().escapeText("naïve 日本語 – 1,204 ≤ 1%") == "naïve 日本語 – 1,204 ≤ 1%")
        #expect(HTMLContentType().escapeText("") == "")
    }

    /// A value that looks like a template is not read as one.
    @Test func tagsInNamesAreText() {
        let wording: Wording = "\(name: "{{title}}{{{style}}}{{> wording}}")"
        let text = PageTemplates.shared.render(PageTemplates.shared.card, ["reasons": .list([wording.fields])])
        #expect(text.contains("<li><b class=\"name\">{{title}}{{{style}}}{{&gt; wording}}</b></li>"))
    }

    /// Only what is compiled in may go unescaped.
    @Test func templatesEscapeEverythingElse() throws {
        let resources = [
            PackageResources.page_mustache, PackageResources.row_mustache, PackageResources.card_mustache,
            PackageResources.wording_mustache,
        ]
        let unescaped = try resources.flatMap { resource in
            PageTemplates.text(resource).matches(of: try Regex(#"\{\{[{&][^}]*"#, as: Substring.self))
                .map { String($0.output) }
        }
        #expect(unescaped == ["{{{policy", "{{{style", "{{{script"])
    }

    @Test func missingTextLeavesItsSectionOut() {
        let templates = PageTemplates.shared
        let row: Fields = ["rate": .text(nil), "bound": .text("≤ 1%"), "where": .text(nil)]
        let text = templates.render(templates.row, row)
        #expect(text.contains("<td role=\"cell\" class=\"number\"><small>≤ 1%</small></td>"))
        #expect(!text.contains("false"))
    }
}
