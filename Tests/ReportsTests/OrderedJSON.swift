/// A small JSON reader that keeps the order of keys and distinguishes integers from other numbers.
indirect enum OrderedJSON {
    case null, bool
    case integer(Int)
    case number(Double)
    case string(String)
    case array([OrderedJSON])
    case object([(key: String, value: OrderedJSON)])

    struct Malformed: Error {
        let offset: Int
    }

    init(_ text: String) throws(Malformed) {
        var reader = Reader(bytes: Array(text.utf8))
        self = try reader.value()
        reader.skipSpace()
        guard reader.index == reader.bytes.count else { throw Malformed(offset: reader.index) }
    }

    subscript(key: String) -> OrderedJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    var elements: [OrderedJSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// Every path in the document once, in order, with the kinds of values found there: `functions[].app.VALID
    /// integer`.
    var shape: [String] {
        var order: [String] = []
        var kinds: [String: Set<String>] = [:]
        func visit(_ value: OrderedJSON, _ path: String) {
            if kinds[path] == nil { order.append(path) }
            kinds[path, default: []].insert(value.kind)
            switch value {
            case .object(let members):
                for (key, value) in members { visit(value, path.isEmpty ? key : "\(path).\(key)") }
            case .array(let elements): for element in elements { visit(element, path + "[]") }
            default: break
            }
        }
        visit(self, "")
        return order.map { "\($0) \((kinds[$0] ?? []).sorted().joined(separator: "|"))" }
    }

    private var kind: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        mutating func skipSpace() {
            while index < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[index]) { index += 1 }
        }

        mutating func value() throws(Malformed) -> OrderedJSON {
            skipSpace()
            guard index < bytes.count else { throw Malformed(offset: index) }
            switch Character(Unicode.Scalar(bytes[index])) {
            case "{":
                var members: [(key: String, value: OrderedJSON)] = []
                try list(until: "}") { reader throws(Malformed) in
                    let key = try reader.string()
                    try reader.expect(":")
                    members.append((key, try reader.value()))
                }
                return .object(members)
            case "[":
                var elements: [OrderedJSON] = []
                try list(until: "]") { reader throws(Malformed) in elements.append(try reader.value()) }
                return .array(elements)
            case "\"": return .string(try string())
            default: return try word()
            }
        }

        private mutating func list(
            until close: Character, element: (inout Reader) throws(Malformed) -> Void
        ) throws(Malformed) {
            index += 1
            skipSpace()
            if index < bytes.count, bytes[index] == close.asciiValue {
                index += 1
                return
            }
            while true {
                try element(&self)
                skipSpace()
                guard index < bytes.count else { throw Malformed(offset: index) }
                defer { index += 1 }
                if bytes[index] == close.asciiValue { return }
                guard bytes[index] == UInt8(ascii: ",") else { throw Malformed(offset: index) }
            }
        }

        private mutating func expect(_ character: Character) throws(Malformed) {
            skipSpace()
            guard index < bytes.count, bytes[index] == character.asciiValue else { throw Malformed(offset: index) }
            index += 1
        }

        private mutating func word() throws(Malformed) -> OrderedJSON {
            let start = index
            while index < bytes.count, ![0x2c, 0x5d, 0x7d, 0x20, 0x0a].contains(bytes[index]) { index += 1 }
            let word = String(decoding: bytes[start..<index], as: UTF8.self)
            if word == "null" { return .null }
            if word == "true" || word == "false" { return .bool }
            if let integer = Int(word) { return .integer(integer) }
            guard let number = Double(word), number.isFinite, word.first != "+" else { throw Malformed(offset: start) }
            return .number(number)
        }

        private mutating func string() throws(Malformed) -> String {
            try expect("\"")
            var units: [UInt16] = []
            var plain: [UInt8] = []
            func flush() -> [UInt16] { Array(String(decoding: plain, as: UTF8.self).utf16) }
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                guard bytes[index] >= 0x20 else { throw Malformed(offset: index) }
                if bytes[index] == UInt8(ascii: "\\") {
                    units += flush()
                    plain = []
                    units.append(try escape())
                } else {
                    plain.append(bytes[index])
                    index += 1
                }
            }
            try expect("\"")
            return String(decoding: units + flush(), as: UTF16.self)
        }

        private mutating func escape() throws(Malformed) -> UInt16 {
            guard index + 1 < bytes.count else { throw Malformed(offset: index) }
            let simple: [Character: UInt16] = [
                "\"": 0x22, "\\": 0x5c, "/": 0x2f, "n": 10, "r": 13, "t": 9, "b": 8, "f": 12,
            ]
            let letter = Character(Unicode.Scalar(bytes[index + 1]))
            if let unit = simple[letter] {
                index += 2
                return unit
            }
            guard letter == "u", index + 6 <= bytes.count,
                let unit = UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
            else { throw Malformed(offset: index) }
            index += 6
            return unit
        }
    }
}
