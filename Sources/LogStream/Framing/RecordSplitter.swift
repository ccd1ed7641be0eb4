/// Cuts a stream of objects into whole ones as they arrive: the last one does not wait for what comes after it.
///
/// Text between objects is passed over: `gcloud logging tail --format=json` writes one array that never
/// ends. A line feed in a string shows that a brace or a quote was lost; what came before it is handed on as it is, to
/// be reported, and reading goes on with the next object.
package struct RecordSplitter {
    private var pending: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private let limit: Int

    package init(limit: Int) { self.limit = limit }

    /// Takes the next bytes of the stream.
    ///
    /// - Returns: The objects that are whole now, each on separate lines.
    package mutating func append(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var whole: [UInt8] = []
        for byte in bytes {
            if depth == 0, byte != .openBrace { continue }
            pending.append(byte)
            if isInString {
                if byte == 0x0A {
                    whole += end()
                } else if isEscaped {
                    isEscaped = false
                } else if byte == .backslash {
                    isEscaped = true
                } else if byte == .quote {
                    isInString = false
                }
            } else if byte == .quote {
                isInString = true
            } else if byte == .openBrace {
                depth += 1
            } else if byte == .closeBrace {
                depth -= 1
                if depth == 0 { whole += end() }
            }
            if pending.count > limit { whole += end() }
        }
        return whole
    }

    package mutating func end() -> [UInt8] {
        defer { pending.removeAll(keepingCapacity: pending.count <= limit) }
        (depth, isInString, isEscaped) = (0, false, false)
        return pending.isEmpty ? [] : pending + [0x0A]
    }
}
