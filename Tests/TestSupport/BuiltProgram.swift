public import Foundation

/// The `callcheck` that was built together with the tests, whatever the configuration.
public enum BuiltProgram {
    /// The folder that holds it: the one the test bundle lies in.
    public static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// True when it is there.
    public static var isBuilt: Bool {
        FileManager.default.isExecutableFile(atPath: folder.appending(path: "callcheck").path)
    }
}
