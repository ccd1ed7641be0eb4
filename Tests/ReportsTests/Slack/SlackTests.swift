import Readiness
import Testing
import Verifications

@testable import Reports

/// Messages that Slack takes: within its limits, and with nothing in them that it would make something of.
@Suite struct SlackTests {
    private let golden = GoldenFiles()

    private func check(_ summary: Summary) -> String {
        Report.check(GateCheck(Gate(failOn: .unsure), policyFile: "policy.yaml"), on: summary).text(.slack)
    }

    @Test func messages() {
        golden.expect(check(Story.judged), "check-slack.json")
    }

    /// The blocks of a message: their kinds and texts.
    private func blocks(_ message: String) throws -> [(kind: String, text: String)] {
        try #require(OrderedJSON(message)["blocks"]).elements.map { block in
            let text = block["text"] ?? block["elements"]?.elements.first
            return (try #require(block["type"]?.string), try #require(text?["text"]?.string))
        }
    }

    @Test(arguments: [3, 40, 300])
    func limitsAreKept(functions: Int) throws {
        var summary = Sample.summary(Sample.project(functions: functions, days: 20))
        // As long as a name can be, and longer when escaped.
        summary.functions = summary.functions.map { $0.changed { $0.name += String(repeating: "&", count: 200) } }
        let judged = Sample.judged(summary)
        let messages = [
            check(judged), Report.summary(judged).text(.slack),
            Report.summary(ChangesReportTests.eventful).text(.slack),
            Report.explanation(Sample.explanation(judged.functions[0].name, in: judged)).text(.slack),
        ]
        for message in messages {
            let blocks = try blocks(message)
            #expect(blocks.count <= 50)
            for block in blocks {
                #expect(!block.text.isEmpty)
                #expect(block.text.utf16.count <= (block.kind == "header" ? 150 : 3000))
            }
            #expect(blocks.reduce(0) { $0 + $1.text.utf16.count } <= 12_100)
            #expect(blocks.map(\.kind).firstIndex(of: "header") == 0)
        }
    }

    /// A cut message shows that it is cut; cautions do not go with the rows.
    @Test func whatIsLeftOutIsCounted() throws {
        var summary = Sample.judged(Sample.summary(Sample.project(functions: 300, days: 20)))
        summary.input.malformed = 3
        for text in [check(summary), Report.summary(summary).text(.slack)] {
            #expect(try blocks(text).contains { $0.text.contains("*Caution:* 3 records show the verification label") })
        }
        #expect(try blocks(Report.summary(summary).text(.slack)).contains { $0.text.contains(#/and [0-9]+ more\. /#) })

        var message = SlackMessage(summary: "s", title: "t")
        for index in 0..<60 {
            message.beginBlock()
            message.add("line \(index)")
        }
        message.add(String(repeating: "x", count: 3000))
        var text = ""
        message.write(to: &text)
        let blocks = try blocks(text)
        #expect(blocks.count == 50)
        #expect(blocks.last?.text == "13 lines have no room in this message.")
        #expect(blocks.last?.kind == "context")
    }

    /// Lines share a block until it is full.
    @Test func blocksAreFilled() throws {
        var message = SlackMessage(summary: "s", title: "t")
        for _ in 0..<40 { message.add(String(repeating: "x", count: 99)) }
        message.add("y", as: .context)
        var text = ""
        message.write(to: &text)
        #expect(try blocks(text).map(\.text.count) == [1, 2999, 999, 1])
    }

    @Test(arguments: HostileNamesTests.names + PageSample.markup + ["<!channel>", "<@U1>", "&lt;!here&gt;", "`*a*`"])
    func namesAreInert(name: String) throws {
        let summary = HostileNamesTests.summary(name)
        let messages = [
            check(summary), Report.summary(summary).text(.slack),
            Report.explanation(Sample.explanation(name, in: summary), policyFile: name).text(.slack),
        ]
        for message in messages {
            for block in try blocks(message) {
                #expect(block.text.unicodeScalars.allSatisfy { $0 != "<" && $0 != ">" })
                for part in block.text.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
                    .dropFirst()
                {
                    #expect(["amp;", "lt;", "gt;"].contains { part.starts(with: $0.unicodeScalars) })
                }
                #expect(block.text.unicodeScalars.allSatisfy { $0.isInert || $0 == "\n" })
                // Outside of code no name can be.
                #expect(block.text.unicodeScalars.count { $0 == "`" }.isMultiple(of: 2))
            }
            #expect(!message.contains("\"verbatim\": false"))
        }
        #expect(SlackText.code("a`b<c>&") == "`a&lt;U+0060&gt;b&lt;c&gt;&amp;`")
    }
}

extension OrderedJSON {
    fileprivate var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
