internal import Yams

/// As much of YAML as a policy needs.
extension Node {
    /// The text of a scalar.
    var text: String? { scalar.map { Node.replacing(Node.starStandIn, by: "*", in: $0.string) } }

    /// The text of a scalar without quotes, which may mean something other than text.
    var plainText: String? { scalar?.style == .plain ? text : nil }

    var place: PolicyMistake.Place { mark.map(PolicyMistake.Place.init) ?? .start }

    /// True for what YAML calls null: nothing at all, `~` or `null`.
    var isNull: Bool {
        switch plainText {
        case "", "~", "null", "Null", "NULL": true
        default: false
        }
    }

    /// The limit on lists and mappings within each other; a policy has three levels.
    private static let depthLimit = 16

    /// Reads the only document of a text.
    ///
    /// Aliases are cut off before the parser sees them: nine lines of them can mean a billion nodes, and the
    /// parser compares keys node by node. Every `*` is handed to it as another character, which begins ordinary text,
    /// and is put back afterwards; text that then begins with `*` and has no quotes was an alias or a careless glob.
    static func root(of text: String) throws(PolicyMistake) -> Node {
        guard text.utf8.count <= PolicyDocument.sizeLimit else { throw PolicyMistake(place: .start, kind: .tooLong) }
        let source = text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
        if let unwanted = unwantedCharacter(in: source) { throw unwanted }
        let parser: Parser
        let root: Node?
        let second: Node?
        do {
            // The encoding is named because the parser's default listens to an environment variable, and prints.
            parser = try Parser(yaml: replacing("*", by: starStandIn, in: source), resolver: .basic, encoding: .utf8)
            root = try parser.nextRoot()
            second = try parser.nextRoot()
        } catch let error as YamlError { throw mistake(error, in: source) } catch {
            throw PolicyMistake(place: .start, kind: .syntax("\(error)"))
        }
        if let second { throw PolicyMistake(place: second.place, kind: .secondDocument) }
        guard let root else { throw PolicyMistake(place: .start, kind: .empty) }
        // Nodes know their anchors only as long as the parser holds them.
        try withExtendedLifetime(parser) { () throws(PolicyMistake) in try root.check(depth: 0) }
        guard !root.isNull else { throw PolicyMistake(place: .start, kind: .empty) }
        return root
    }

    /// Refuses what a policy does not need.
    private func check(depth: Int) throws(PolicyMistake) {
        guard depth <= Node.depthLimit else { throw PolicyMistake(place: place, kind: .tooDeep) }
        if anchor != nil { throw PolicyMistake(place: place, kind: .anchor) }
        guard ["tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"].contains(tag.rawValue) else {
            throw PolicyMistake(place: place, kind: .tag)
        }
        if plainText?.hasPrefix("*") ?? false { throw PolicyMistake(place: place, kind: .bareStar) }
        for item in sequence ?? [] { try item.check(depth: depth + 1) }
        for (key, value) in mapping ?? [:] {
            try key.check(depth: depth + 1)
            try value.check(depth: depth + 1)
        }
    }

    /// A private-use character, of which ``unwantedCharacter(in:)`` has made sure that the text has none.
    private static let starStandIn: Unicode.Scalar = "\u{E000}"

    private static func replacing(_ old: Unicode.Scalar, by new: Unicode.Scalar, in text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == old ? new : $0 }))
    }

    /// The first character that YAML does not allow, or ``starStandIn``.
    ///
    /// Allowed are tab, line feed, carriage return and the printable characters of YAML 1.1, section 5.1.
    private static func unwantedCharacter(in text: String) -> PolicyMistake? {
        var line = 1
        var column = 1
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case starStandIn.value, 0..<0x09, 0x0b, 0x0c, 0x0e..<0x20, 0x7f..<0x85, 0x86..<0xa0, 0xfeff, 0xfffe, 0xffff:
                return PolicyMistake(place: .init(line: line, column: column), kind: .character(scalar.value))
            case 0x0a where previous == "\r": break
            case 0x0a, 0x0d:
                line += 1
                column = 1
            default: column += 1
            }
            previous = scalar
        }
        return nil
    }

    private static func mistake(_ error: YamlError, in text: String) -> PolicyMistake {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            let place = PolicyMistake.Place(mark)
            if hasTab(at: place, in: text) { return PolicyMistake(place: place, kind: .tab) }
            // The parser's own limit is 1000, and its words advise a call of its C interface.
            let isDepth = problem.hasPrefix("Maximum nesting level")
            return PolicyMistake(place: place, kind: isDepth ? .tooDeep : .syntax(problem))
        case .duplicatedKeysInMapping(let keys, let context):
            let key = replacing(starStandIn, by: "*", in: keys.first ?? "")
            return PolicyMistake(place: .init(context.mark), kind: .duplicateKey(key))
        default: return PolicyMistake(place: .start, kind: .syntax("\(error)"))
        }
    }

    private static func hasTab(at place: PolicyMistake.Place, in text: String) -> Bool {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard place.line <= lines.count else { return false }
        return lines[place.line - 1].unicodeScalars.dropFirst(place.column - 1).first == "\t"
    }
}

extension PolicyMistake.Place {
    fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }
}
