/// Text as one word of a POSIX shell, which takes nothing in it for more than text.
///
/// ```swift
/// ShellWord("it's").quoted  // 'it'\''s'
/// ```
package struct ShellWord: Hashable, Sendable {
    /// The word in single quotes.
    package let quoted: String

    /// - Parameters:
    ///   - text: The text.
    ///   - placeholder: Stands for a text that cannot be printed as it is, and so not be copied either.
    package init(_ text: String, placeholder: String) {
        guard DisplayText(text).text == text else {
            quoted = placeholder
            return
        }
        quoted = "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

/// The id of a Google Cloud project, made of nothing but what such ids are made of.
///
/// 6 to 30 lower-case letters, digits and hyphens, a letter first and no hyphen last; in front of it may stand the
/// domain of an organisation and a colon. Whatever a shell would take for more than text is therefore none.
///
/// Source: <https://cloud.google.com/resource-manager/docs/creating-managing-projects>.
package struct ProjectID: Hashable, Sendable {
    package let text: String

    /// Stands for the id that nobody gave.
    package static let placeholder = ProjectID(unchecked: "PROJECT")

    /// - Returns: nil when `text` is not the id of a project.
    package init?(_ text: String) {
        guard text.wholeMatch(of: #/(?:[a-z0-9](?:[a-z0-9.-]{0,60}[a-z0-9])?:)?[a-z][a-z0-9-]{4,28}[a-z0-9]/#) != nil
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// The id without a domain: names of buckets have no colon.
    var name: Substring {
        text.split(separator: ":").last ?? ""
    }
}
