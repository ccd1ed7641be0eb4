/// One `import` of a Swift file, in any of its forms.
///
/// ```swift
/// @testable import Reports
/// public import struct Readiness.Summary
/// @_spi(Checks) import LogStream
/// ```
struct ImportStatement: Equatable {
    /// The module, without what follows a dot.
    var module: String
    /// `public`, `internal` and so on; nil when none is written.
    var access: String?
    /// `testable`, `preconcurrency`, `_spi` and so on, without arguments.
    var attributes: [String] = []
    /// From 1.
    var line: Int

    private static let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor", "macro",
    ]

    /// All imports of a file, in order.
    static func all(in source: String) -> [ImportStatement] {
        let lines = SwiftCode(source).text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { index, line in
            !line.contains("import")
                ? [] : line.split(separator: ";").compactMap { ImportStatement($0, line: index + 1) }
        }
    }

    private init?(_ statement: Substring, line: Int) {
        self.init(module: "", line: line)
        var words = statement.split { $0 == " " || $0 == "\t" }[...]
        while let word = words.first, word != "import" {
            if word.hasPrefix("@") {
                attributes.append(String(word.dropFirst().prefix { $0 != "(" }))
            } else if ImportStatement.levels.contains(word) {
                access = String(word)
            } else {
                return nil
            }
            words.removeFirst()
        }
        words = words.dropFirst()
        if let kind = words.first, ImportStatement.kinds.contains(kind) { words.removeFirst() }
        guard let path = words.first else { return nil }
        module = String(path.prefix { $0 != "." }.filter { $0 != "`" })
    }

    init(module: String, access: String? = nil, attributes: [String] = [], line: Int) {
        self.module = module
        self.access = access
        self.attributes = attributes
        self.line = line
    }
}
