/// A file that a source was read from, as the file system had it.
package struct SourceFile: Hashable, Comparable, Codable, Sendable {
    /// As it was given; `-` for standard input.
    package var name: String
    /// As stored, in bytes; nil where it was not known beforehand.
    package var size: Int?
    /// When its contents were changed, and when anything about it was; nil for what is no file.
    package var modified: Instant?
    package var changed: Instant?

    package init(name: String, size: Int? = nil, modified: Instant? = nil, changed: Instant? = nil) {
        (self.name, self.size, self.modified, self.changed) = (name, size, modified, changed)
    }

    package static func < (left: SourceFile, right: SourceFile) -> Bool {
        func key(_ file: SourceFile) -> (Instant, Instant, Int, ExactName) {
            let none = Instant(seconds: .min)
            return (file.changed ?? none, file.modified ?? none, file.size ?? -1, ExactName(file.name))
        }
        return key(left) < key(right)
    }
}
