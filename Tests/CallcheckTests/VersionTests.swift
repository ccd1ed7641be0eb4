import Testing

@testable import callcheck

/// Only a package of the tagged commit has a version without `-dev`.
@Suite struct VersionTests {
    @Test(arguments: [
        ("$Format:%h$", "$Format:%(describe)$", "\(Version.number)-dev (built from a checkout, libz "),
        ("1a2b3c4", "", "\(Version.number)-dev (commit 1a2b3c4, libz "),
        ("1a2b3c4", "v\(Version.number)-2-g1a2b3c4", "\(Version.number)-dev (commit 1a2b3c4, libz "),
        ("1a2b3c4", "v\(Version.number)", "\(Version.number) (commit 1a2b3c4, libz "),
    ])
    func developmentBuildsAreMarked(commit: String, tag: String, start: String) {
        #expect(Version(commit: commit, tag: tag).text.hasPrefix(start))
    }
}
