/// The number of terminal columns that inert text takes.
///
/// As most terminals count: every scalar for itself, combining marks and the inner parts of Hangul syllables as none,
/// East Asian wide and full-width ones and emoji as two.
func displayWidth(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + displayWidth(of: $1) }
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    if scalar.isCombining || innerJamo.contains(where: { $0.contains(scalar.value) }) { return 0 }
    let isWide = scalar.properties.isEmojiPresentation || wideBlocks.contains { $0.contains(scalar.value) }
    return isWide ? 2 : 1
}

/// Hangul vowels and final consonants, which join the leading consonant before them.
private let innerJamo: [ClosedRange<UInt32>] = [0x1160...0x11ff, 0xd7b0...0xd7ff]

/// The blocks whose characters have the East Asian Width W or F in Unicode 16 (`EastAsianWidth.txt`, UAX #11).
///
/// Emoji are told by a property of their own; unassigned places within a block are never printed.
private let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97f,
    0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6,
    0x16fe0...0x18dff, 0x1aff0...0x1b2ff, 0x1d300...0x1d376, 0x1f200...0x1f2ff, 0x20000...0x3fffd,
]
