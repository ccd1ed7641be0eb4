/// What wraps records in answers of Google's interfaces: `entries.list`, `entries:tail` and Pub/Sub's pull.
///
/// ```
/// {"entries":[{…},{…}],"nextPageToken":"EAE4…"}      {"receivedMessages":[{…}]}      {"nextPageToken":"EAE4…"}
/// ```
///
/// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/list>: without results, `entries` is
/// left out.
enum Page {
    /// How long the beginning of a page can be, up to its elements.
    static let longestOpening = 4096

    /// True when the text is the beginning of a page, up to the bracket that opens its elements.
    static func opens(_ text: RawText) -> Bool {
        guard text.count <= longestOpening else { return false }
        // Safe: what is cut from a buffer with slack has slack behind it.
        var scanner = JSONScanner(unsafe JSONCursor(base: text.start, count: text.count))
        do throws(JSONFailure) {
            guard try scanner.openObject() else { return false }
            var isFirst = true
            while let key = try scanner.nextKey(&isFirst) {
                let name = key.text
                if name == "entries" || name == "receivedMessages" { return scanner.isAtEnd() }
                guard name == "nextPageToken" else { return false }
                try scanner.skipValue()
            }
        } catch {}
        return false
    }

    /// What a line, or an element of an array, starts like.
    enum Line {
        case entry
        /// With one of a page's keys, which no entry starts with.
        case page
        /// With `{}`.
        case emptyObject
        case array
        /// Nothing but `[]`, as `gcloud` prints it when it finds nothing.
        case emptyArray

        @inline(__always)
        init(_ text: RawText) {
            guard let first = Page.inner(of: text) else {
                self = Page.startsArray(text)
                return
            }
            let inner = text.cut(first..<text.count)
            if inner[0] == UInt8(ascii: "}") {
                self = .emptyObject
            } else if inner[0] == UInt8(ascii: "\""),
                inner.hasPrefix("\"entries\"") || inner.hasPrefix("\"receivedMessages\"")
                    || inner.hasPrefix("\"nextPageToken\"")
            {
                self = .page
            } else {
                self = .entry
            }
        }
    }

    /// True for a page without elements, `{}` or nothing but a token, which counts as no record.
    static func isEmpty(_ text: RawText) -> Bool {
        guard text.count <= longestOpening else { return false }
        switch Line(text) {
        case .entry, .array, .emptyArray: return false
        case .page, .emptyObject: break
        }
        // Safe: what is cut from a buffer with slack has slack behind it.
        var scanner = JSONScanner(unsafe JSONCursor(base: text.start, count: text.count))
        do throws(JSONFailure) {
            guard try scanner.openObject() else { return false }
            var isFirst = true
            while let key = try scanner.nextKey(&isFirst) {
                guard key.text == "nextPageToken" else { return false }
                try scanner.skipValue()
            }
            return scanner.isAtEnd()
        } catch {
            return false
        }
    }

    private static func startsArray(_ text: RawText) -> Line {
        let start = text.indexOfNonSpace(from: 0)
        guard start < text.count, text[start] == UInt8(ascii: "[") else { return .entry }
        let inner = text.indexOfNonSpace(from: start + 1)
        let isEmpty =
            inner < text.count && text[inner] == UInt8(ascii: "]") && text.indexOfNonSpace(from: inner + 1) == text.count
        return isEmpty ? .emptyArray : .array
    }

    /// Where the first byte inside the object stands; nil when the text is no object.
    private static func inner(of text: RawText) -> Int? {
        var index = text.indexOfNonSpace(from: 0)
        guard index < text.count, text[index] == UInt8(ascii: "{") else { return nil }
        index = text.indexOfNonSpace(from: index + 1)
        return index < text.count ? index : nil
    }
}

extension RawText {
    fileprivate func indexOfNonSpace(from start: Int) -> Int {
        var index = start
        while index < count, JSONCursor.isWhitespace(self[index]) { index += 1 }
        return index
    }
}
