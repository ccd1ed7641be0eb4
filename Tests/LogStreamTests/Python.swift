import TestSupport

/// Asks Python's json about many documents with one process.
enum Python {
    /// What Python says of each document: one line of its answer each.
    ///
    /// Documents are decoded as strict UTF-8; what Python's json adds to RFC 8259 (NaN and the infinities) stays on.
    /// `expression` is what is printed for an accepted document, of `value`; `refused` is printed otherwise.
    static func answers(to documents: [[UInt8]], expression: String) throws -> [String] {
        let script = """
            import json, sys
            for line in sys.stdin:
                try:
                    value = json.loads(bytes.fromhex(line).decode("utf-8"))
                except (ValueError, RecursionError):
                    print("refused")
                else:
                    print(\(expression))
            """
        let input = documents.map { hexadecimal($0) + "\n" }.joined()
        let output = try ExternalTool.python.run(["-c", script], input: Array(input.utf8))
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
