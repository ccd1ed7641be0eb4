package import Foundation

/// Runs scripts of `sh` that call the built `callcheck`, with an environment that is the same on every machine.
package struct Shell: Sendable {
    /// What a run puts out.
    package struct Outcome: Sendable {
        package var output: Data
        package var errors: Data
        package var status: Int32
    }

    private let directory: URL
    private let tools: [URL]
    private let variables: [String: String]

    /// How long a script may take before it is stopped, in seconds; its status is 124 then.
    private static let patience = "600"

    /// - Parameters:
    ///   - directory: Where scripts are run.
    ///   - tools: Folders with programs that are found before those of the system.
    ///   - variables: What scripts find in the environment besides.
    package init(in directory: URL, tools: [URL] = [], variables: [String: String] = [:]) {
        self.directory = directory
        self.tools = tools
        self.variables = variables
    }

    /// Runs a script file to its end; it reads nothing unless it says so itself.
    package func run(script: URL) throws -> Outcome {
        try run(["-u", script.path])
    }

    /// Runs a line as typed; what it says on standard error comes among its output.
    package func run(line: String) throws -> Outcome {
        try run(["-u", "-c", "exec 2>&1\n\(line)"])
    }

    /// Runs lines of a script.
    package func run(lines: String) throws -> Outcome {
        try run(["-u", "-c", lines])
    }

    private func run(_ arguments: [String]) throws -> Outcome {
        // Files, not pipes: programs that are started at the same moment inherit pipes and keep them open.
        let notes = try TemporaryDirectory()
        let output = URL(filePath: try notes.write([], to: "output"))
        let errors = URL(filePath: try notes.write([], to: "errors"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "-k", "5", Shell.patience, "sh"] + arguments
        process.environment = environment
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            output: try Data(contentsOf: output), errors: try Data(contentsOf: errors),
            status: process.terminationStatus)
    }

    private var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment
        let folders = [BuiltProgram.folder.path] + tools.map(\.path) + [own["PATH"] ?? "/usr/bin:/bin"]
        var environment = [
            "PATH": folders.joined(separator: ":"), "HOME": directory.path, "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "COLUMNS": "100",
            // Samples end on 14 October 2026: for reports that is yesterday.
            "SOURCE_DATE_EPOCH": "1792044000",
        ]
        // Where Swift's own libraries are found, should they lie in an unusual place.
        environment["LD_LIBRARY_PATH"] = own["LD_LIBRARY_PATH"]
        return environment.merging(variables) { $1 }
    }
}
