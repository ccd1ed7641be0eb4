package import Foundation

/// The `callcheck` that was built together with the tests, in any configuration.
package enum BuiltProgram {
    /// The folder that holds it and `synthetic-logs`: the test bundle's, unless `CALLCHECK_PROGRAMS` names another.
    package static let folder =
        ProcessInfo.processInfo.environment["CALLCHECK_PROGRAMS"].map { URL(filePath: $0) }
        ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// True when it is there.
    package static var isBuilt: Bool {
        FileManager.default.isExecutableFile(atPath: folder.appending(path: "callcheck").path)
    }
}
