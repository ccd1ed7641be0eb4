import Foundation
import Readiness
import Testing
import Verifications

@testable import Reports

/// Names come from logs: no name may break a format.
@Suite struct HostileNamesTests {
    /// Every metacharacter of any format, alone, inside a name, and under a combining mark, which makes it another
    /// character to code that compares characters instead of scalars.
    static let names: [String] = {
        let specials = [
            "\"", "'", "\\", "`", "``", "|", "<", ">", "&", "*", "_", "~", "[", "]", "(", ")", "#", "!", "$", "@", "=",
            "+", "-", ",", ";", ":", "{", "}", "%", "\t", "\r", "\n", "\r\n", "\u{0}", "\u{7}", "\u{8}", "\u{1b}",
            "\u{7f}", "\u{85}", "\u{9b}", "\u{2028}", "\u{2029}", "\u{202e}", "\u{2066}", "\u{200b}", "\u{200d}",
            "\u{feff}", "\u{e0041}", "\u{ff1d}", " ", "  ", "",
        ]
        let marked = specials.map { $0 + "\u{301}" }
        let inside = (specials + marked).map { "a\($0)b" }
        let known = [
            "=cmd|'/C calc'!A0", "@SUM(1)", "+1+1", "-2", "'=1", " =1", "\u{1b}]0;title\u{7}",
            "</td><script>x</script>",
            "<!-- x", "[x](http://y.z)", "![x](y)", "@someone #12 www.example.com", "a|b|c", "\\|", "`|`", "* x", "# x",
            "| --- |", "a\u{301}\u{301}\u{301}\u{301}", "日本語", "1;2",
        ]
        return specials + marked + inside + known
    }()

    static let harmless = Sample.judged(
        Sample.summary(
            ["harmless", "other"].map { name in
                Sample.function(name) { _ in [Requests(app: .valid, count: 2), Requests(app: .other, count: 1)] }
            }
        ) { $0.malformed = 1 })

    /// A judged summary in which one function, its place and its input have the name.
    static func summary(_ name: String) -> Summary {
        var summary = HostileNamesTests.harmless
        summary.functions[0] = summary.functions[0].changed {
            $0.identity = FunctionIdentity(project: name, region: name, name: name, generation: .second)
        }
        summary.functions[0] = summary.functions[0].changed { $0.name = name }
        summary.input.problems.append(
            Problem(source: name, kind: .malformedRecord, byteOffset: 1, record: 1, detail: name))
        summary.input.problems.append(
            Problem(source: name, kind: .corruptGzip, byteOffset: 1, record: nil, detail: name))
        return summary
    }

    @Test(arguments: names)
    func jsonReadsBack(name: String) throws {
        let text = Report.summary(HostileNamesTests.summary(name)).text(.json)
        #expect(text.unicodeScalars.allSatisfy { $0.isInert || $0 == "\n" })
        let functions = try #require(try OrderedJSON(text)["functions"])
        let names = functions.elements.map { function -> String in
            if case .string(let name)? = function["function"] { name } else { "?" }
        }
        #expect(names.contains { $0.unicodeScalars.elementsEqual(name.unicodeScalars) })
        // A second opinion, which has no word on the order of keys.
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect((object?["functions"] as? [Any])?.count == 2)
    }

    @Test(arguments: names)
    func csvKeepsItsCellsAndStartsNoFormula(name: String) throws {
        let rows = csvRows(Report.summary(HostileNamesTests.summary(name)).text(.csv))
        #expect(rows.count == 3)
        #expect(Set(rows.map(\.count)) == [try #require(rows.first).count])
        for cell in rows.dropFirst().joined() {
            let start = cell.unicodeScalars.first { $0 != " " }
            let isFormula = start.map { "=+-@\t\r\n\u{ff1d}".unicodeScalars.contains($0) } ?? false
            #expect(!isFormula || cell == "-", "\(cell.debugDescription)")
            #expect(cell.unicodeScalars.allSatisfy { $0.isInert })
        }
        // What is not neutralised or spelled out is the name itself.
        let isHarmless = name.unicodeScalars.first.map { !"=+-@ \u{ff1d}".unicodeScalars.contains($0) } ?? true
        if isHarmless, name.unicodeScalars.allSatisfy({ $0.isInert }) {
            #expect(rows.contains { $0[2].unicodeScalars.elementsEqual(name.unicodeScalars) })
        }
    }

    @Test(arguments: names)
    func markdownKeepsItsRowsAndHasNoMarkup(name: String) throws {
        let text = Report.summary(HostileNamesTests.summary(name)).text(.markdown)
        #expect(text.unicodeScalars.allSatisfy { $0.isInert || $0 == "\n" })
        let lines = text.unicodeScalars.split(separator: "\n").map { String($0) }
        let table = lines.filter { $0.hasPrefix("| ") }
        // Head, rule and two functions: as many cells in each, as GitHub splits them.
        #expect(table.count == 4)
        #expect(Set(table.map(cellCount)).count == 1)
        for line in lines { #expect(hasNoMarkupOutsideCode(line), "\(line)") }
    }

    @Test(arguments: names)
    func tableStaysInItsLines(name: String) throws {
        let styles = [
            TerminalStyle(columns: 80), TerminalStyle(columns: 200), TerminalStyle(columns: 80, unicode: false),
        ]
        for style in styles {
            var view = TableView()
            view.isVerbose = true
            let text =
                Report.summary(HostileNamesTests.summary(name)).text(.terminal(style))
                + Report.summary(HostileNamesTests.summary(name), view).text(.terminal(style))
            #expect(text.unicodeScalars.allSatisfy { $0.isInert || $0 == "\n" })
            let lines = text.unicodeScalars.split(separator: "\n").map { String($0) }
            for line in lines { #expect(line.unicodeScalars.first?.isCombining == false) }
            // The numbers of both functions and of the total still end where the head of their column does.
            let start = try #require(lines.firstIndex { $0.contains("requests ") && $0.contains("bad auth token") })
            let end = try #require(lines.firstIndex { $0.contains("total of 2") })
            let head = lines[start]
            let edge = try #require(head.range(of: "requests")).upperBound
            let numbers = lines[start...end].map { prefix(of: $0, columns: displayWidth(of: String(head[..<edge]))) }
                .compactMap { $0.split(separator: " ").last }
            #expect(numbers.count { $0 == "42" } == 2)
            #expect(numbers.count { $0 == "84" } == 1)
        }
    }

    private func prefix(of line: String, columns: Int) -> String {
        var prefix = ""
        for scalar in line.unicodeScalars {
            var longer = prefix
            longer.unicodeScalars.append(scalar)
            if displayWidth(of: longer) > columns { break }
            prefix = longer
        }
        return prefix
    }
}

/// Cells of a table row: pipes that no backslash escapes, as the GFM specification has it.
func cellCount(_ line: String) -> Int {
    var count = 0
    var isEscaped = false
    for scalar in line.unicodeScalars {
        if scalar == "|", !isEscaped { count += 1 }
        isEscaped = scalar == "\\" && !isEscaped
    }
    return count
}

/// Code spans are closed, and outside of them no character is left that could begin markup.
func hasNoMarkupOutsideCode(_ line: String) -> Bool {
    let parts = line.unicodeScalars.split(separator: "`", omittingEmptySubsequences: false)
    guard !parts.count.isMultiple(of: 2) else { return false }
    let outside = parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.flatMap { Array($0.element) }
    let text = String(String.UnicodeScalarView(outside)).replacing("**", with: "")
    return !text.unicodeScalars.contains { "<>*_[]~$@\\".unicodeScalars.contains($0) }
}

/// Rows and cells of a CSV text, read by the grammar of RFC 4180, scalar by scalar.
func csvRows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = String.UnicodeScalarView()
    var isQuoted = false
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
        let scalar = scalars[index]
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        index += 1
        if isQuoted {
            if scalar != "\"" {
                cell.append(scalar)
            } else if next == "\"" {
                cell.append(scalar)
                index += 1
            } else {
                isQuoted = false
            }
        } else if scalar == "\"" {
            isQuoted = true
        } else if scalar == "," || (scalar == "\r" && next == "\n") {
            row.append(String(cell))
            cell = String.UnicodeScalarView()
            guard scalar == "\r" else { continue }
            index += 1
            rows.append(row)
            row = []
        } else {
            cell.append(scalar)
        }
    }
    return rows
}
