/// Why a policy file cannot be used.
public struct InvalidPolicy: Error, Hashable, Sendable {
    /// At least one, in the order of lines.
    package let mistakes: [PolicyMistake]

    init(mistakes: [PolicyMistake]) { self.mistakes = mistakes.sorted { $0.place < $1.place } }
}

/// One thing that is wrong in a policy file, and where.
package struct PolicyMistake: Error, Hashable, Sendable {
    package let place: Place
    package let kind: Kind

    /// A place in a text: line and column, both from 1; columns count Unicode scalars.
    package struct Place: Hashable, Comparable, Sendable {
        package let line: Int
        package let column: Int

        static let start = Place(line: 1, column: 1)

        package static func < (left: Place, right: Place) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// What is wrong; keys are given as the file spells them.
    package enum Kind: Hashable, Sendable {
        /// There is nothing in the file, or only comments.
        case empty
        /// The file is longer than ``PolicyDocument/sizeLimit``.
        case tooLong
        /// A character that no text needs: a control or a private-use one.
        case character(UInt32)
        /// A tab where YAML requires spaces.
        case tab
        /// The text is not YAML; the parser's own words.
        case syntax(String)
        /// A second document begins.
        case secondDocument
        case anchor
        /// An alias, or a glob that begins with `*` and has no quotes.
        case bareStar
        case tag
        /// Lists or mappings within lists within mappings: deeper than any policy.
        case tooDeep
        /// A key stands twice in one mapping, first here.
        case duplicateKey(String)
        /// This should be a mapping.
        case notAMapping(PolicySection)
        /// What stands under `functions:` should be a list.
        case notAList
        /// No policy knows this key; the one that was probably meant.
        case unknownKey(String, suggestion: String?, section: PolicySection)
        /// The key belongs elsewhere in the file.
        case misplacedKey(PolicyKey, section: PolicySection)
        case noValue(PolicyKey)
        /// A list or a mapping where one value should be.
        case notAScalar(PolicyKey)
        case number(PolicyKey, PolicyNumberFault)
        case notADate(PolicyKey)
        /// `quiet-days` is not a list, or an item of it is neither a weekday nor a date.
        case notAQuietDay
        case notABoolean(PolicyKey)
        case emptyGlob(PolicyKey)
        /// The value is none of these words.
        case notAWord(PolicyKey, [String])
        case notACount(PolicyKey)
        case notASize(PolicyKey)
        /// Entries next to a policy that is a file of its own.
        case twoPolicies
        /// `exempt: true`: exempt functions need a reason in words.
        case noReason
        /// An entry does not say which functions it is about.
        case noMatch
    }
}
