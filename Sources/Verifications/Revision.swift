/// A revision of a Cloud Run service: what one deployment of a function became.
///
/// Its name is that of the service, a number, and a few letters: `addmessage-00006-taj` (Cloud Run, "Revisions"). The
/// number and the letters are kept, in one word. If somebody chose the name, such as `addmessage-green`, the word is
/// a hash of what follows the service's name; the text is in ``ClientVersions``.
public struct Revision: Hashable, Comparable, Sendable {
    /// Number: 40 · letters: 24, zero where there are fewer than three; or the highest but one bit and a hash: 30.
    package let word: UInt64

    public static let none = Revision(word: 0)

    package init(word: UInt64) { self.word = word }

    /// - Parameters:
    ///   - number: From 1 on, of at most eleven digits.
    ///   - letters: The codes of one to three letters or digits, the last one lowest.
    package init(number: UInt64, letters: UInt64) { word = number << 24 | letters }
    package init(nameHash: UInt64) { word = Revision.isNamed | nameHash & ClientVersions.hashMask }

    private static let isNamed: UInt64 = 1 << 62

    /// The hash under which ``ClientVersions`` keeps the name that somebody chose; nil for a number and letters.
    package var nameHash: UInt64? { word & Revision.isNamed == 0 ? nil : word & ClientVersions.hashMask }

    package static let longestName = 63

    package static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    package var isPossible: Bool {
        if nameHash != nil { return word & ~(Revision.isNamed | ClientVersions.hashMask) == 0 }
        let letters = letters
        return number > 0 && number < 100_000_000_000 && !letters.isEmpty && letters.allSatisfy(Revision.isLetter)
    }

    package var number: UInt64 { word >> 24 }

    private var letters: [UInt8] {
        let word = word
        let codes: [UInt64] = [word >> 16 & 255, word >> 8 & 255, word & 255]
        return codes.drop { $0 == 0 }.map { UInt8($0) }
    }

    /// `00006-taj`; only of a name that nobody chose.
    package var ending: String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits + "-"
            + String(decoding: letters, as: UTF8.self)
    }

    public static func < (left: Revision, right: Revision) -> Bool { left.word < right.word }
}
