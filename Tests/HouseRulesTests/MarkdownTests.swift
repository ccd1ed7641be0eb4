import TestSupport
import Testing

/// Pages are read right, and what is wrong with them is found.
@Suite struct MarkdownTests {
    private let page = MarkdownPage(
        path: "docs/page.md",
        text: """
            # The page: `code` & words
            See [one](one.md), [two](../two.md#a-heading), [the web](https://example.com/x) and `[no](link.md)`.
            [three]: three.md
            <doc:Four> [here](#the-page-code--words) [not here](#elsewhere)
            ```console
            $ echo a; \\
              echo b
            a
            b

            $ true
            ```
            ```
            [none](none.md)
            ```
            """)

    @Test func linksAreFound() {
        #expect(
            page.links == [
                "one.md", "../two.md#a-heading", "https://example.com/x", "three.md", "#the-page-code--words",
                "#elsewhere", "Four.md",
            ])
    }

    @Test func deadLinksAreFound() throws {
        let directory = try TemporaryDirectory()
        try directory.write(Array("# The page: code & words\n".utf8), to: "docs/page.md")
        try directory.write([], to: "docs/one.md")
        try directory.write(Array("## A heading\n".utf8), to: "two.md")
        #expect(
            page.deadLinks(in: Repository(root: directory.url)) == [
                "docs/page.md: three.md leads nowhere", "docs/page.md: #elsewhere leads nowhere",
                "docs/page.md: Four.md leads nowhere",
            ])
    }

    @Test func examplesAreFound() throws {
        #expect(page.blocks.map(\.language) == ["console", ""])
        #expect(
            ConsoleExample.all(in: page.blocks[0]) == [
                ConsoleExample(command: "echo a; \\\n  echo b", output: ["a", "b", ""]),
                ConsoleExample(command: "true", output: []),
            ])
    }

    @Test(arguments: [
        (["a", "b"], ["a", "b", ""], true), (["a", "b"], ["a", "c"], false), (["a"], ["a", "b"], false),
        (["a", "b"], ["a"], false), (["…"], [], true), (["a", "…", "d"], ["a", "b", "c", "d"], true),
        (["a", "…", "d"], ["a", "b", "c"], false), (["…", "d"], ["d", "d"], true), ([], [""], true),
    ])
    func outputIsCompared(shown: [String], printed: [String], isMet: Bool) {
        #expect(ConsoleExample(command: "", output: shown).isMet(by: printed) == isMet)
    }
}
