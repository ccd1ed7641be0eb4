import LogStream

/// Which build this is: the one place for the version.
enum Version {
    static let number = "0.2.0"

    /// Filled in by `git archive` (.gitattributes), from whose output packages are built, but not in a checkout.
    private static let commit = "$Format:%h$"

    /// `0.2.0 (commit 1a2b3c4, libz 1.2.13)`; the libz is the one that is loaded.
    static var text: String {
        let origin = commit.hasPrefix("$") ? "built from a checkout" : "commit \(commit)"
        return "\(number) (\(origin), libz \(LibZ.version))"
    }
}
