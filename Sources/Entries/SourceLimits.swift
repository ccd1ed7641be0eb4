/// The most that a source may say in a snapshot or a store.
///
/// The reader refuses more, and the writer never writes more, so everything written can be read back.
package enum SourceLimits {
    static let count = 1 << 40
    /// Plain bytes, and offsets into them.
    static let bytes = 1 << 50
    /// Entries of one function, and the sum of a day.
    static let entries = 1 << 32
    /// In bytes: a path of PATH_MAX bytes that are not UTF-8 becomes as many U+FFFD, three bytes each.
    package static let text = 3 * 4096
}

extension PackedWriter {
    /// What is above the limit is written as the limit.
    package mutating func write(_ number: Int, upTo limit: Int) { write(min(number, limit)) }

    /// 0 for nothing, else one more than the number.
    package mutating func write(_ number: Int?, upTo limit: Int) {
        write(number.map { min($0, limit - 1) + 1 } ?? 0)
    }

    /// A text that is longer, in bytes, loses its middle to an ellipsis.
    package mutating func write(_ text: String, upTo limit: Int) { write(text.shortened(to: limit)) }
}

extension String {
    func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let ellipsis = "…"
        let kept = (limit - ellipsis.utf8.count) / 2
        var end = utf8.index(startIndex, offsetBy: kept)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        var start = utf8.index(endIndex, offsetBy: -kept)
        while start.samePosition(in: unicodeScalars) == nil { start = utf8.index(after: start) }
        return String(self[..<end]) + ellipsis + String(self[start...])
    }
}
