import Foundation

/// The `callcheck` that was built together with these tests, whatever the configuration.
enum BuiltProgram {
    /// The folder that holds it: the one the test bundle lies in.
    static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    static let path = folder.appending(path: "callcheck").path
}
