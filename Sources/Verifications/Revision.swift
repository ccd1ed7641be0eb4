/// A revision of a Cloud Run service: what one deployment of a function became.
///
/// Its name is that of the service, a number, and a few letters: `addmessage-00006-taj` (Cloud Run, "Revisions"). The
/// number and the letters are kept, in one word; other names, which somebody chose, are not told apart.
public struct Revision: Hashable, Comparable, Sendable {
    /// Number: 40 · letters: 24.
    package let word: UInt64

    /// Of an entry that names none.
    public static let none = Revision(word: 0)

    package init(word: UInt64) { self.word = word }

    /// One of which an entry has kept no more than the slot.
    package init(slot: UInt8) { word = slot == 0 ? 0 : (UInt64(slot) + UInt64(Revision.slots) - 1) << 24 }

    /// - Parameters:
    ///   - number: From 1 on, of at most eleven digits.
    ///   - letters: The codes of three letters or digits, the last one lowest.
    package init(number: UInt64, letters: UInt64) { word = number << 24 | letters }

    package static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// False for bits that no name has.
    package var isPossible: Bool {
        number > 0 && number < 100_000_000_000
            && (0..<3).allSatisfy { Revision.isLetter(UInt8(word >> (8 * $0) & 255)) }
    }

    package var number: UInt64 { word >> 24 }

    /// `00006-taj`.
    package var ending: String {
        let digits = String(number)
        let letters = (0..<3).reversed().map { Character(Unicode.Scalar(UInt8(word >> (8 * $0) & 255))) }
        return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits + "-" + String(letters)
    }

    /// What an entry keeps of it: 1 to ``slots``, one after the other; 0 for none.
    package var slot: UInt8 { word == 0 ? 0 : UInt8(number % UInt64(Revision.slots)) + 1 }

    /// So many revisions in a row are told apart.
    package static let slots = 15

    public static func < (left: Revision, right: Revision) -> Bool { left.word < right.word }
}
