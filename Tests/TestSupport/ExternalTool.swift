import Foundation

/// A program of someone else's that a test holds ours against.
///
/// A test that needs one is skipped by name where the tool is not installed, unless `CALLCHECK_REQUIRE_TOOLS` is `1`,
/// as it is in CI: it then fails.
///
/// ```swift
/// @Test(.enabled(if: ExternalTool.python.isExpected, "python3 is not installed"))
/// ```
package struct ExternalTool: Sendable {
    package let name: String

    package static let chromium = ExternalTool(name: "chromium")
    package static let python = ExternalTool(name: "python3")
    /// Prometheus' linter, of the Debian package `prometheus`.
    package static let promtool = ExternalTool(name: "promtool")
    package static let sha256sum = ExternalTool(name: "sha256sum")
    package static let strace = ExternalTool(name: "strace")

    /// True when the tool is installed, or must be.
    package var isExpected: Bool {
        path != nil || ProcessInfo.processInfo.environment["CALLCHECK_REQUIRE_TOOLS"] == "1"
    }

    private var path: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - input: What it reads from standard input.
    /// - Returns: What it wrote to standard output.
    /// - Throws: ``Failure`` when the tool is missing, or ends with another status than 0.
    package func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        guard let path else { throw Failure.missing(name) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let directory = try TemporaryDirectory()
        let (source, target) = (directory.path("in"), directory.path("out"))
        try directory.write(input, to: "in")
        try directory.write([], to: "out")
        process.standardInput = FileHandle(forReadingAtPath: source)
        process.standardOutput = FileHandle(forWritingAtPath: target)
        try process.run()
        process.waitUntilExit()
        let output = try [UInt8](Data(contentsOf: URL(filePath: target)))
        guard process.terminationStatus == 0 else {
            throw Failure.status(name, process.terminationStatus, String(decoding: output, as: UTF8.self))
        }
        return output
    }

    package enum Failure: Error {
        case missing(String)
        /// The tool, its status, and what it wrote to standard output.
        case status(String, Int32, String)
    }
}
