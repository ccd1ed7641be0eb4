/// A value of a JSON document, and where it is: for small files that are changed in one place.
package struct JSONNode: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONNode
    }

    package let content: Content
    /// Its bytes in the document, quotation marks included.
    package let place: Range<Int>

    /// Reads a document; nil when it is not JSON to its last byte.
    package init?(document: [UInt8]) {
        let bytes = ByteCollector(document)
        var scanner = JSONScanner(JSONCursor(bytes.text))
        let scratch = TextScratch()
        do throws(JSONFailure) {
            // After this the document is known to be well-formed, and not nested too deep for recursion.
            try scanner.skipValue()
            guard scanner.isAtEnd() else { return nil }
            scanner.rewind(to: 0)
            try self.init(&scanner, of: bytes.text, scratch)
        } catch {
            return nil
        }
    }

    private init(_ scanner: inout JSONScanner, of text: RawText, _ scratch: TextScratch) throws(JSONFailure) {
        scanner.cursor.skipWhitespace()
        let start = scanner.position
        if try scanner.openObject() {
            var members: [Member] = []
            var isFirst = true
            while let key = try scanner.nextKey(&isFirst) {
                members.append(
                    Member(key: scratch.text(of: key).string, value: try JSONNode(&scanner, of: text, scratch)))
            }
            content = .object(members)
        } else if scanner.cursor.current == .openBracket {
            var elements: [JSONNode] = []
            scanner.cursor.advance()
            scanner.cursor.skipWhitespace()
            while scanner.cursor.current != .closeBracket {
                elements.append(try JSONNode(&scanner, of: text, scratch))
                scanner.cursor.skipWhitespace()
                if scanner.cursor.current == .comma { scanner.cursor.advance() }
            }
            scanner.cursor.advance()
            content = .array(elements)
        } else {
            let value = try scanner.value()
            content =
                switch value.kind {
                case .string: .string(scratch.text(of: value).string)
                case .number: .number(value.text.string)
                case .null, .absent: .null
                case .other: .bool(text[start] == UInt8(ascii: "t"))
                }
        }
        place = start..<scanner.position
        scratch.reset()
    }
}

extension JSONNode {
    /// The value of a member; of a repeated key the last one, as parsers have it.
    package subscript(key: String) -> JSONNode? { members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value }

    package var members: [Member] {
        if case .object(let members) = content { members } else { [] }
    }

    package var elements: [JSONNode] {
        if case .array(let elements) = content { elements } else { [] }
    }

    package var string: String? {
        if case .string(let string) = content { string } else { nil }
    }

    /// A number, or one in a string.
    package var number: Double? {
        switch content {
        case .number(let text), .string(let text): Double(text)
        default: nil
        }
    }

    /// Returns the places in the document of the bytes of a string's text, and after them the end of the string.
    ///
    /// - Parameter document: The text that the node was read from.
    /// - Returns: One place more than the text has bytes; none for what is not a string.
    package func placesOfText(in document: [UInt8]) -> [Int] {
        guard case .string = content else { return [] }
        var places: [Int] = []
        var index = place.lowerBound + 1
        let end = place.upperBound - 1
        while index < end {
            let start = index
            // Each escape is decoded by itself; a pair of surrogates belongs together.
            index += document[index] != .backslash ? 1 : document[index + 1] == UInt8(ascii: "u") ? 6 : 2
            let isPair =
                index - start == 6 && index + 1 < end && document[index] == .backslash
                && document[index + 1] == UInt8(ascii: "u") && JSONNode.isHighSurrogate(document, start)
            if isPair { index += 6 }
            let piece = [.quote] + document[start..<index] + [.quote]
            let count = index - start == 1 ? 1 : JSONNode(document: piece)?.string?.utf8.count ?? 1
            places += Array(repeating: start, count: count)
        }
        return places + [end]
    }

    private static func isHighSurrogate(_ document: [UInt8], _ start: Int) -> Bool {
        document[start + 2] | 0x20 == UInt8(ascii: "d")
            && [UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "b")]
                .contains(document[start + 3] | 0x20)
    }
}
