import Testing

@testable import Reports

@Suite struct DisplayTextTests {
    @Test(
        arguments: [
            ("addMessage", "addMessage"), ("naïve", "naïve"), ("日本語", "日本語"), ("", ""),
            ("a\u{1b}[31mb", "a<U+001B>[31mb"), ("a\nb\r\tc", "a<U+000A>b<U+000D><U+0009>c"),
            ("\u{9b}2J", "<U+009B>2J"),
            ("x\u{7f}\u{0}", "x<U+007F><U+0000>"), ("add\u{202e}egasseM", "add<U+202E>egasseM"),
            ("a\u{200b}b\u{200d}c\u{feff}", "a<U+200B>b<U+200D>c<U+FEFF>"),
            ("a\u{2028}b\u{2029}", "a<U+2028>b<U+2029>"),
            ("tag\u{e0041}", "tag<U+E0041>"), ("\u{3164}\u{115f}", "<U+3164><U+115F>"), ("\u{e000}", "<U+E000>"),
            ("\u{fff0}\u{ffff}", "<U+FFF0><U+FFFF>"),
        ])
    func whatIsNotInertIsSpelledOut(raw: String, shown: String) {
        #expect(DisplayText(raw).text.unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    /// A mark would sit on the cell border before it, a pile of marks on the lines above.
    @Test func marksStandOnLettersOnly() {
        #expect(DisplayText("\u{301}a").text == "<U+0301>a")
        #expect(DisplayText("e\u{301}").text.unicodeScalars.count == 2)
        let pile = DisplayText("e" + String(repeating: "\u{301}", count: 4)).text
        #expect(pile.unicodeScalars.elementsEqual("e\u{301}\u{301}<U+0301><U+0301>".unicodeScalars))
    }

    @Test func withoutUnicodeEverythingIsASCII() {
        let text = DisplayText("naïve 日\u{202e}", ascii: true).text
        #expect(text == "na<U+00EF>ve <U+65E5><U+202E>")
        #expect(DisplayText(name: "").text == "\"\"")
    }

    @Test func controlsOfEveryKindAreSpelledOut() {
        for value in Array(0...0x1f) + Array(0x7f...0x9f) + Array(0x202a...0x202e) + Array(0x2066...0x2069) {
            let scalar = Unicode.Scalar(UInt32(value))
            #expect(scalar?.isInert == false, "U+\(String(value, radix: 16))")
        }
        for value in UInt32(0x20)...0x7e { #expect(Unicode.Scalar(value)?.isInert == true) }
    }

    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("naïve", 5), ("nai\u{308}ve", 5), ("日本語", 6), ("ｆｕｌｌ", 8), ("한국어", 6),
            ("\u{1112}\u{1161}\u{11ab}", 2), ("é…–▁█", 5), ("🚀", 2), ("ア", 2), ("ｱ", 1), ("𠀋", 2),
        ])
    func widthIsInTerminalColumns(text: String, columns: Int) {
        #expect(displayWidth(of: text) == columns)
    }

    @Test(
        arguments: [
            ("addMessage", 10, "addMessage"), ("addMessage", 9, "addM…sage"), ("addMessage", 8, "addM…age"),
            ("addMessage", 3, "a…e"), ("addMessage", 1, "…"), ("日本語の関数名", 14, "日本語の関数名"),
            ("日本語の関数名", 9, "日本…数名"), ("日本語の関数名", 8, "日本…名"), ("ne\u{301}e\u{301}e\u{301}en", 5, "ne\u{301}…en"),
        ])
    func longNamesLoseTheirMiddle(name: String, columns: Int, cut: String) {
        let text = DisplayText(name).cut(to: columns, ellipsis: "…")
        #expect(text.unicodeScalars.elementsEqual(cut.unicodeScalars))
        #expect(displayWidth(of: text) <= columns)
    }

    @Test func wordingBreaksAtSpacesOnly() {
        let wording: Wording = "Nothing of \(name: "my export.json") was read, see \(code: "--format json")."
        #expect(
            wording.lines(columns: 26, ascii: true) == ["Nothing of my export.json", "was read, see", "--format json."])
        #expect(wording.lines(columns: 5, ascii: true).contains("my export.json"))
        #expect(wording.text(ascii: true) == "Nothing of my export.json was read, see --format json.")
        #expect(("" as Wording).lines(columns: 10, ascii: true).isEmpty)
    }

    @Test(
        arguments: [
            (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c", "d"], "a, b, c and d"),
            (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
        ])
    func longListsOfNamesAreCounted(names: [String], text: String) {
        let wording: Wording = "\(names: names)"
        #expect(wording.text(ascii: true) == text)
    }
}
