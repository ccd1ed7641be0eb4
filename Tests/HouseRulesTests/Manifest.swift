/// What Package.swift says of targets, read from its text.
struct Manifest {
    struct Target: Equatable {
        /// `target`, `executableTarget`, `testTarget`, `systemLibrary`.
        var kind: String
        var name: String
        /// Where its files lie, from the root.
        var path: String
        var dependencies: Set<String>
        var hasHouseSettings: Bool
    }

    private(set) var targets: [Target] = []
    /// The text between the brackets of `let house`.
    private(set) var houseSettings = ""

    private static let kinds = ["target", "executableTarget", "testTarget", "systemLibrary", "macro", "plugin"]

    init(_ text: String) {
        let code = Substring(SwiftCode(text, keepsStrings: true).text)
        if let house = code.firstRange(of: "let house: [SwiftSetting] = [") {
            houseSettings = String(Manifest.enclosed(code[house.upperBound...]))
        }
        var rest = code
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            guard let kind = Manifest.kinds.first(where: { rest.hasPrefix("\($0)(") }) else { continue }
            // Behind the whole call: a `.target(…)` in it is a dependency.
            let body = Manifest.enclosed(rest.dropFirst(kind.count + 1))
            rest = rest[body.endIndex...]
            guard let name = Manifest.strings(after: "name:", in: body).first else { continue }
            let folder = kind == "testTarget" ? "Tests" : "Sources"
            targets.append(
                Target(
                    kind: kind, name: name,
                    path: Manifest.strings(after: "path:", in: body).first ?? "\(folder)/\(name)",
                    dependencies: Manifest.dependencies(in: body),
                    hasHouseSettings: body.contains("swiftSettings: house")))
        }
    }

    /// The text up to the bracket that closes one opened just before.
    private static func enclosed(_ text: Substring) -> Substring {
        var depth = 1
        return text.prefix { character in
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            return depth > 0
        }
    }

    /// The literals that follow a label.
    private static func strings(after label: String, in text: Substring) -> [String] {
        guard let start = text.firstRange(of: label)?.upperBound else { return [] }
        let parts = text[start...].split(separator: "\"", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The names of targets and products.
    private static func dependencies(in text: Substring) -> Set<String> {
        guard let start = text.firstRange(of: "dependencies: [")?.upperBound else { return [] }
        let list = enclosed(text[start...])
        let parts = list.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.indices.reduce(into: []) { names, index in
            // A product's package is no module.
            let isPackage = index > 0 && parts[index - 1].hasSuffix("package: ")
            if index % 2 == 1, !isPackage { names.insert(String(parts[index])) }
        }
    }
}
