/// The wrappers of records in answers of Google's interfaces: `entries.list`, `entries:tail` and Pub/Sub's pull.
///
/// ```
/// {"entries":[{…},{…}],"nextPageToken":"EAE4…"}      {"receivedMessages":[{…}]}      {"nextPageToken":"EAE4…"}
/// {"entries":[{…}],"suppressionInfo":[{"reason":"RATE_LIMIT","suppressedCount":5}]}    {}
/// {"status":"success","result":[{…},{…}]}                                           {"entries":null}
/// ```
///
/// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/list> and `…/entries/tail`: without
/// results, `entries` is left out. The last is what `firebase functions:log --json` prints.
enum ResponsePage {
    static let longestOpening = 4096

    /// True when the text is the beginning of a page, up to the bracket that opens its elements.
    ///
    /// If the array begins with an entry, the page may be damaged.
    static func opens(_ text: RawText, holdsEntry: Bool) -> Bool {
        guard text.count <= longestOpening else { return false }
        return opens(text) || holdsEntry && mayOpen(text)
    }

    private static func opens(_ text: RawText) -> Bool {
        text.firstAnswer { (key, scanner) throws(JSONFailure) in
            switch PageKey(key) {
            case .elements: scanner.isAtEnd()
            case .status: try isSuccess(&scanner)
            case .sibling: nil
            case nil: false
            }
        } ?? false
    }

    /// True for the beginning of a page, or one without elements, with the token by which the next one is asked for.
    static func namesNext(in page: RawText) -> Bool {
        page.firstAnswer { (key, scanner) throws(JSONFailure) in
            guard key == "nextPageToken" else { return nil }
            let token = try scanner.value()
            return token.kind == .string && !token.text.isEmpty
        } ?? false
    }

    /// The same for the end of a page, after its elements.
    static func namesNext(afterElements text: RawText) -> Bool {
        var scanner = JSONScanner(JSONCursor(text))
        var isFirst = false
        while let key = try? scanner.nextKey(&isFirst), let value = try? scanner.value() {
            if key.text == "nextPageToken" { return value.kind == .string && !value.text.isEmpty }
        }
        return false
    }

    /// True when what follows is `"success","result":` and no more: applications use these words for other things.
    private static func isSuccess(_ scanner: inout JSONScanner) throws(JSONFailure) -> Bool {
        guard try scanner.value().text == "success" else { return false }
        var isFirst = false
        guard let key = try scanner.nextKey(&isFirst), key.text == "result" else { return false }
        return scanner.isAtEnd()
    }

    /// True when the value of a page's elements, which the scanner has come to, is null or an empty array.
    private static func holdsNothing(_ scanner: JSONScanner, of page: RawText) -> Bool {
        let start = page.indexOfNonSpace(from: scanner.position)
        if page[start] == UInt8(ascii: "n") { return true }
        return page[start] == .openBracket && page[page.indexOfNonSpace(from: start + 1)] == .closeBracket
    }

    /// True for the same with damage in it, if the elements are entries: nothing is known of the text
    /// before their key then, and one byte of the key may be another, lost or doubled.
    private static func mayOpen(_ text: RawText) -> Bool {
        var end = text.endOfNonSpace(before: text.count)
        while end > 0, text[end - 1] == .colon { end = text.endOfNonSpace(before: end - 1) }
        guard end > 0, text[end - 1] == .quote else { return false }
        let quote = end - 1
        var start = quote
        while start > 0, text[start - 1] != .quote { start -= 1 }
        return start > 0 && resemblesElements(text.cut(start..<quote))
    }

    private static func resemblesElements(_ key: RawText) -> Bool {
        key.resembles("entries") || key.resembles("receivedMessages")
    }

    /// True for an object that has an array of entries at its top, under a page's key, damaged or not.
    static func wrapsEntries(_ text: RawText) -> Bool {
        text.hasMember { key, scanner in
            let value = text.indexOfNonSpace(from: scanner.position)
            return resemblesElements(key) && value < text.count && text[value] == .openBracket
                && text.holdsEntry(inArrayAt: value)
        }
    }

    /// True for a page without elements, which counts as no record: `{}`, nothing but what accompanies them, or null
    /// or an empty array in their place, as programs write it that know a page's shape.
    static func isEmpty(_ text: RawText) -> Bool {
        var scanner = JSONScanner(JSONCursor(text))
        guard text.count <= longestOpening, scanner.isAtObject(), Scalar.isValue(text) else { return false }
        return !text.hasMember { key, scanner in
            switch PageKey(key) {
            case .elements: !holdsNothing(scanner, of: text)
            case .sibling: false
            case .status, nil: true
            }
        }
    }
}

extension RawText {
    /// True for the word, or the word with one byte replaced, lost or added.
    fileprivate func resembles(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        // Safe: the index stays within the word.
        func letter(_ index: Int) -> UInt8 { unsafe word.utf8Start[index] }
        guard abs(count - length) <= 1 else { return false }
        let shorter = min(count, length)
        var (head, tail) = (0, 0)
        while head < shorter, self[head] == letter(head) { head += 1 }
        while tail < shorter, self[count - 1 - tail] == letter(length - 1 - tail) { tail += 1 }
        return head + tail >= max(count, length) - 1
    }
}
