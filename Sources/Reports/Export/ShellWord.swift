/// Text as one word of a POSIX shell, which treats all of it as text.
///
/// ```swift
/// ShellWord("it's").quoted  // 'it'\''s'
/// ```
package struct ShellWord: Hashable, Sendable {
    /// The word in single quotes.
    package let quoted: String

    /// - Parameters:
    ///   - text: The text.
    ///   - placeholder: Replaces a text that cannot be printed as it is, and so cannot be copied either.
    package init(_ text: String, placeholder: String) {
        guard DisplayText(text).text == text else {
            quoted = placeholder
            return
        }
        quoted = "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

/// The id of a Google Cloud project, which contains only characters that such ids have.
///
/// 6 to 30 lower-case letters, digits and hyphens, a letter first and no hyphen last; the domain of an organisation and
/// a colon may come before it. So nothing that a shell would take for more than text is a valid id.
///
/// Source: <https://cloud.google.com/resource-manager/docs/creating-managing-projects>.
package struct ProjectID: Hashable, Sendable {
    package let text: String

    /// The placeholder for an id that was not given.
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
