package import Foundation

/// The `callcheck` that was built together with the tests, in any configuration.
package enum BuiltProgram {
    /// The folder that holds it: the one the test bundle lies in.
    package static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// True when it is there.
    package static var isBuilt: Bool {
        FileManager.default.isExecutableFile(atPath: folder.appending(path: "callcheck").path)
    }
}
