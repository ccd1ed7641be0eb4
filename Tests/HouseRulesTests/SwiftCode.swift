/// Swift source without comments and string literals; line breaks stay, so that lines keep their numbers.
struct SwiftCode {
    var text: String { String(decoding: code, as: UTF8.self) }

    private let source: [UInt8]
    private let keepsStrings: Bool
    private var index = 0
    private var code: [UInt8] = []

    /// - Parameters:
    ///   - source: The whole file.
    ///   - keepsStrings: True to leave literals as they are.
    init(_ source: String, keepsStrings: Bool = false) {
        self.source = Array(source.utf8)
        self.keepsStrings = keepsStrings
        while index < self.source.count {
            if isAt("//") {
                while index < self.source.count, self.source[index] != UInt8(ascii: "\n") { index += 1 }
            } else if isAt("/*") {
                take(isKept: false) { $0.passComment() }
            } else if let hashes = literalStart {
                take(isKept: keepsStrings) { $0.passLiteral(hashes: hashes) }
            } else {
                code.append(self.source[index])
                index += 1
            }
        }
    }

    /// Moves on, and keeps what was passed, or its line breaks alone.
    private mutating func take(isKept: Bool, _ pass: (inout SwiftCode) -> Void) {
        let start = index
        pass(&self)
        index = min(index, source.count)
        code += source[start..<index].filter { isKept || $0 == UInt8(ascii: "\n") }
    }

    /// Block comments nest.
    private mutating func passComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                index += 2
            } else if isAt("*/") {
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        } while depth > 0 && index < source.count
    }

    /// How many hashes are before a quotation mark here; nil if no literal starts.
    private var literalStart: Int? {
        var end = index
        while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
        return end < source.count && source[end] == UInt8(ascii: "\"") ? end - index : nil
    }

    private mutating func passLiteral(hashes: Int) {
        index += hashes
        let mark = String(repeating: "#", count: hashes)
        let quotes = isAt("\"\"\"") ? "\"\"\"" : "\""
        index += quotes.utf8.count
        while index < source.count, !isAt(quotes + mark) {
            // In a raw literal a backslash escapes only with as many hashes behind it.
            let isEscape = isAt("\\" + mark)
            if isEscape, isAt("\\" + mark + "(") {
                passInterpolation(hashes: hashes)
            } else {
                index += isEscape ? 2 + hashes : 1
            }
        }
        index += quotes.utf8.count + hashes
    }

    /// Keeps the text between the parentheses, even if the literal is left out.
    private mutating func passInterpolation(hashes: Int) {
        index += 2 + hashes
        let start = index
        var depth = 1
        while index < source.count, depth > 0 {
            if source[index] == UInt8(ascii: "(") { depth += 1 }
            if source[index] == UInt8(ascii: ")") { depth -= 1 }
            index += 1
        }
        if !keepsStrings { code += [UInt8(ascii: " ")] + source[start..<index] }
    }

    private func isAt(_ text: String) -> Bool {
        source[index...].starts(with: text.utf8)
    }
}
