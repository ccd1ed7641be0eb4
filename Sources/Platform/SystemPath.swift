/// A path as Linux has it: bytes, which need not be UTF-8.
package struct SystemPath: Hashable, Sendable {
    /// With the NUL after the last one, as the system takes them.
    package let characters: [CChar]

    /// After these scalars, for private use, an argument has bytes that are not ASCII when it is not UTF-8.
    private static let escape: UInt32 = 0x10FF00

    /// A path of characters with a NUL after the last one.
    package init(_ characters: [CChar]) { self.characters = characters }

    /// A path that was typed: any text, or what ``argument(_:)`` made of one that is not UTF-8.
    package init(_ argument: String) {
        let bytes = argument.unicodeScalars.flatMap { scalar -> [UInt8] in
            let byte = scalar.value &- SystemPath.escape
            return (0x80...0xFF).contains(byte) ? [UInt8(byte)] : Array(String(scalar).utf8)
        }
        characters = bytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// An argument of the process as text that ``init(_:)`` makes the same bytes of.
    ///
    /// Command lines are parsed as text, in which what is not UTF-8 would be lost.
    package static func argument(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let scalars = bytes.compactMap { Unicode.Scalar($0 < 0x80 ? UInt32($0) : escape + UInt32($0)) }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The path of what lies in the directory with this path; `name` ends in NUL.
    package func appending(_ name: [CChar]) -> SystemPath {
        let slash = CChar(bitPattern: UInt8(ascii: "/"))
        let directory = characters.dropLast()
        return SystemPath(directory + (directory.last == slash ? [] : [slash]) + name)
    }

    /// The path for people: U+FFFD replaces what is not UTF-8.
    package var text: String {
        String(decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// True when this user may read what lies there.
    package var isReadable: Bool { FileSystem.permits(characters, R_OK) }
}
