import Foundation
import TestSupport
import Testing

@testable import LogStream

/// Our scanner against Foundation's JSONSerialization, on generated documents and on damaged ones.
///
/// Where the two differ the cause must be on the list of known differences: with that cause, and nothing else, taken
/// out of the document they agree again.
@Suite struct JSONFoundationTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func generatedDocumentsAreAcceptedByBoth(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let document = JSONText.document(depth: 5, using: &random)
            #expect(JSONText.isOneValue(document) && JSONText.isOneRecord(document), "\(text(document))")
            #expect(isAcceptedByFoundation(document), "\(text(document))")
        }
    }

    @Test(arguments: 100..<140 as Range<UInt64>)
    func damagedDocumentsAreJudgedAlike(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<250 {
            let document = JSONText.mutated(JSONText.document(depth: 3, using: &random), using: &random)
            let ours = JSONText.isOneValue(document)
            let theirs = isAcceptedByFoundation(document)
            #expect(JSONText.isOneRecord(document) == ours, "\(text(document))")
            guard ours != theirs else { continue }
            if ours {
                #expect(isAcceptedByFoundation(withoutHugeNumbers(withoutSurrogates(document))), "\(text(document))")
            } else if !isTakenForAnotherEncoding(document) {
                #expect(JSONText.isOneValue(withoutTrailingCommas(document)), "\(text(document))")
            }
        }
    }

    /// RFC 8259 forbids these, and Foundation on Linux reads them.
    @Test(
        arguments: [
            Array("[1,]".utf8), Array(#"{"a":1,}"#.utf8), Array("\u{FEFF}1".utf8), Array("1\u{0}".utf8),
            Array("\u{0}1".utf8), [0xFF, 0xFE, 0x31, 0x00],
        ] as [[UInt8]])
    func acceptedByFoundationAlone(document: [UInt8]) {
        #expect(isAcceptedByFoundation(document))
        #expect(!JSONText.isOneValue(document))
    }

    /// RFC 8259 allows these, and Foundation has no value for them.
    @Test(arguments: [#""\ud800""#, #""\ude00\ud83d""#, #"{"\ud800":1}"#, "1e400", "-1E999"])
    func acceptedByOursAlone(document: String) {
        #expect(!isAcceptedByFoundation(Array(document.utf8)))
        #expect(JSONText.isOneValue(Array(document.utf8)))
    }

    private func isAcceptedByFoundation(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])) != nil
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).debugDescription
    }

    /// Foundation guesses UTF-16 and UTF-32 from byte order marks and from zeros among the first four bytes.
    private func isTakenForAnotherEncoding(_ document: [UInt8]) -> Bool {
        let start = document.prefix(4)
        return start.contains(0) || start.starts(with: [0xEF, 0xBB, 0xBF]) || start.starts(with: [0xFF, 0xFE])
            || start.starts(with: [0xFE, 0xFF])
    }

    /// `\u` escapes of surrogates, halves of pairs or alone, become `\u0041`.
    private func withoutSurrogates(_ document: [UInt8]) -> [UInt8] {
        var result = document
        var index = 0
        while index + 5 < result.count {
            guard result[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let isSurrogate =
                result[index + 1] == UInt8(ascii: "u") && result[index + 2] | 0x20 == UInt8(ascii: "d")
                && (hexadecimalDigit(result[index + 3]) ?? 0) >= 8
            if isSurrogate { result.replaceSubrange(index + 2..<index + 6, with: Array("0041".utf8)) }
            index += 2
        }
        return result
    }

    /// Exponents become 0.
    private func withoutHugeNumbers(_ document: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isExponent = false
        for (index, byte) in document.enumerated() {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if byte | 0x20 == UInt8(ascii: "e"), index > 0, (0x30...0x39).contains(document[index - 1]) {
                isExponent = true
            } else if !isDigit && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "-") {
                isExponent = false
            }
            result.append(isExponent && isDigit ? UInt8(ascii: "0") : byte)
        }
        return result
    }

    /// Commas before a closing bracket, outside strings, are left out.
    private func withoutTrailingCommas(_ document: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var pendingComma: Int?
        var isInString = false
        var isEscaped = false
        for byte in document {
            if isInString {
                isInString = byte != UInt8(ascii: "\"") || isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            } else if byte == UInt8(ascii: ",") {
                pendingComma = result.count
            } else if !JSONCursor.isWhitespace(byte) {
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}"), let comma = pendingComma {
                    result.remove(at: comma)
                }
                pendingComma = nil
                isInString = byte == UInt8(ascii: "\"")
            }
            result.append(byte)
        }
        return result
    }
}
