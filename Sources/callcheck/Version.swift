import LogStream

/// The version of this build: the one place for it.
struct Version {
    /// The next version, or the one that was released.
    static let number = "0.3.0"

    /// Filled in by `git archive` (.gitattributes), from whose output packages are built, but not in a checkout.
    static let this = Version(commit: "$Format:%h$", tag: "$Format:%(describe:tags,match=v*)$")

    let commit: String
    /// The tag of the commit, or the last one before it and a distance.
    let tag: String

    /// Without `-dev` only for a package of the commit that has the version's tag.
    private var number: String { Version.number + (tag == "v\(Version.number)" ? "" : "-dev") }

    /// `0.3.0 (commit 1a2b3c4, libz 1.2.13)`; the libz is the one that is loaded.
    var text: String {
        let origin = commit.hasPrefix("$") ? "built from a checkout" : "commit \(commit)"
        return "\(number) (\(origin), libz \(LibZ.version))"
    }
}
