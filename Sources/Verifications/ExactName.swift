/// A name as it was spelled: equal to another, and in front of it, by its UTF-8 bytes.
///
/// `String` takes `é` for the same whether it is one scalar or two. A project, a file system and a history do not: by
/// `String` two functions would run together, under whichever spelling was read first.
///
/// ```swift
/// ExactName("caf\u{E9}") == ExactName("cafe\u{301}")  // false
/// ```
public struct ExactName: Hashable, Comparable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public static func < (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        // The hash of `String` is one for all spellings, and a log can hold as many of them as it likes.
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8.max)
    }
}

extension ExactName: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension ExactName: CustomStringConvertible {
    public var description: String { text }
}
