import PolicyFile
import Readiness
import Testing

/// Files made to exhaust or to deceive whoever reads them.
@Suite struct HostileTests {
    /// Nine to the ninth copies of a list, and then the comparison of two keys that hold them.
    private static let aliases: String = {
        let letters = "bcdefghij".unicodeScalars.map { String($0) }
        let levels = zip(["a"] + letters, letters).map { previous, letter in
            "\(letter): &\(letter) [\(Array(repeating: "*\(previous)", count: 9).joined(separator: ","))]\n"
        }
        return "a: &a [x]\n" + levels.joined() + "? *j\n: 1\n? *i\n: 2\n"
    }()

    @Test func aliasesAreNeverFollowed() {
        #expect(kinds(HostileTests.aliases) == [.anchor])
        // Without a visible anchor the aliases themselves are what is wrong.
        #expect(kinds("? *j\n: 1\n") == [.bareStar])
    }

    @Test(arguments: ["[", "{", "[{", "- ", "? ", "[a,"])
    func nestingHasALimit(opening: String) {
        #expect(kinds(String(repeating: opening, count: 100_000)) == [.tooDeep])
    }

    @Test(arguments: 0...20)
    func nestingThatIsClosedHasALimitToo(depth: Int) {
        let text = "policy: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let expected: PolicyMistake.Kind = depth > 16 ? .tooDeep : .notAMapping(.policy)
        #expect(kinds(text) == [expected])
    }

    @Test func aSizeIsTheLimit() {
        let comment = "policy: {window: 9d} #"
        let fits = comment + String(repeating: "x", count: PolicyDocument.sizeLimit - comment.utf8.count)
        #expect(kinds(fits) == [])
        #expect(kinds(fits + "x") == [.tooLong])
        #expect(kinds(String(repeating: "\u{1F600}", count: PolicyDocument.sizeLimit / 4 + 1)) == [.tooLong])
    }

    @Test func hugeScalarsAreOnlyText() throws {
        let reason = String(repeating: "*", count: PolicyDocument.sizeLimit - 100)
        let document = try PolicyDocument(yaml: "functions: [{match: a, exempt: \"\(reason)\"}]")
        #expect(document.entries.map(\.settings.exempt) == [reason])
        let digits = String(repeating: "9", count: 900_000)
        #expect(kinds("policy: {max-refused: \(digits)%}") == [.value(SettingKey[\.maxRefused], .notAShare)])
        #expect(kinds("policy: {window: \(digits)}") == [.value(SettingKey[\.window], .daysOutOfRange(1...3650))])
    }

    @Test func thousandsOfEntriesAndMistakesAreTold() throws {
        let entries = String(repeating: "- match: \"a*\"\n", count: 20_000)
        #expect(try PolicyDocument(yaml: "functions:\n" + entries).entries.map(\.line) == Array(2...20_001))
        let mistakes = kinds("functions:\n" + String(repeating: "- match: \"\"\n", count: 20_000))
        #expect(mistakes == Array(repeating: .value(SettingKey[\.match], .emptyGlob), count: 20_000))
    }

    @Test func charactersThatHideOthersAreNotQuoted() throws {
        let error = #expect(throws: InvalidPolicy.self) {
            try PolicyDocument(yaml: "policy: {\"a\\e[2Jb\": 1, \"\\u202Ekcolb\": 1, \"na\u{EF}ve\": 1}")
        }
        let message = try #require(error).message(file: "policy.yaml")
        #expect(message.unicodeScalars.allSatisfy { $0 == "\n" || (" "..."~").contains($0) })
        #expect(message.contains("policy.yaml:1:10: this key is not known"))
    }

    /// A policy that is given in place of an export, or the other way round, must not put tokens on the screen.
    @Test func valuesAreNeverQuoted() throws {
        let secret = "eyJhbGciOiJSUzI1NiJ9"
        for text in [
            "{\"textPayload\": \"Bearer \(secret)\", \"insertId\": \"1\"}", "policy: {window: \(secret)}",
            "policy: {max-refused: \(secret)}", "functions: [{match: a, since: \(secret)}]", "\(secret)\n",
            "functions: [{match: a, requires-auth: \(secret)}]", "policy: [\(secret)", "- \(secret): x: y",
            "\(String(repeating: secret, count: 3)): 1",
        ] {
            let error = #expect(throws: InvalidPolicy.self) { try PolicyDocument(yaml: text) }
            #expect(error?.message(file: "policy.yaml").contains(secret) == false)
        }
    }

    private func kinds(_ text: String) -> [PolicyMistake.Kind] {
        do throws(InvalidPolicy) {
            _ = try PolicyDocument(yaml: text)
            return []
        } catch {
            return error.mistakes.map(\.kind)
        }
    }
}
