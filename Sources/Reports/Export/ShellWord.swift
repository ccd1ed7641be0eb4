/// Text as one word of a POSIX shell, which takes nothing in it for more than text.
///
/// ```swift
/// ShellWord("it's").quoted  // 'it'\''s'
/// ```
public struct ShellWord: Hashable, Sendable {
    /// The word in single quotes.
    public let quoted: String

    /// - Parameters:
    ///   - text: The text.
    ///   - placeholder: Stands for a text that cannot be printed as it is, and so not be copied either.
    public init(_ text: String, placeholder: String) {
        guard DisplayText(text).text == text else {
            quoted = placeholder
            return
        }
        quoted = "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
