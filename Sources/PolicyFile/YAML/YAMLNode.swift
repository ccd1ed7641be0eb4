/// One node of a YAML document, with its place: as much of YAML as a policy needs.
struct YAMLNode {
    enum Content {
        /// Text, and whether it stands there without quotes.
        case scalar(String, isPlain: Bool)
        case list([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    let place: PolicyMistake.Place
    let content: Content

    /// The text of a scalar, quoted or not.
    var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// The text of a scalar without quotes, which may mean something other than text.
    var plainText: String? {
        if case .scalar(let text, isPlain: true) = content { text } else { nil }
    }

    /// True for what YAML calls null: nothing at all, `~` or `null`.
    var isNull: Bool {
        switch plainText {
        case "", "~", "null", "Null", "NULL": true
        default: false
        }
    }
}
