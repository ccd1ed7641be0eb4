/// A pattern for names: `*` matches any run of characters, `?` for one.
///
/// Pattern and name are compared after ``FunctionIdentity/normalized(_:)``, so that one pattern finds a function under
/// the name people know and under the name of its Cloud Run service. Brackets have no meaning.
///
/// ```swift
/// Glob("admin_*").matches("Admin-deleteUser")  // true
/// ```
package struct Glob: Hashable, Sendable {
    package let pattern: String
    private let scalars: [Unicode.Scalar]

    package init(_ pattern: String) {
        self.pattern = pattern
        self.scalars = Array(FunctionIdentity.normalized(pattern).unicodeScalars)
    }

    /// The name that it is, normalised; nil for a pattern that may cover several.
    package var only: ExactName? {
        scalars.contains { $0 == "*" || $0 == "?" }
            ? nil : ExactName(String(String.UnicodeScalarView(scalars)))
    }

    /// True when the pattern covers the whole name.
    ///
    /// The newest `*` alone is widened on a mismatch: enough, as an earlier one can gain nothing that a later one
    /// cannot, and never slower than pattern times name.
    package func matches(_ name: String) -> Bool {
        let name = Array(FunctionIdentity.normalized(name).unicodeScalars)
        var position = 0
        var index = 0
        var retry: (position: Int, index: Int)?
        while index < name.count {
            if position < scalars.count, scalars[position] == "*" {
                position += 1
                retry = (position, index)
            } else if position < scalars.count, scalars[position] == "?" || scalars[position] == name[index] {
                position += 1
                index += 1
            } else if let star = retry {
                position = star.position
                index = star.index + 1
                retry = (position, index)
            } else {
                return false
            }
        }
        return scalars[position...].allSatisfy { $0 == "*" }
    }
}

/// Several patterns as one; those that are names are looked up, as a list may have thousands.
package struct GlobSet: Hashable, Sendable {
    private let names: Set<ExactName>
    private let patterns: [Glob]

    package init(_ globs: [Glob]) {
        names = Set(globs.compactMap(\.only))
        patterns = globs.filter { $0.only == nil }
    }

    package func matches(_ name: String) -> Bool {
        names.contains(ExactName(FunctionIdentity.normalized(name))) || patterns.contains { $0.matches(name) }
    }
}
