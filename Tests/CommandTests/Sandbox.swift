import Foundation

/// A directory in which scripts are run with an environment that is the same on every machine.
struct Sandbox {
    let directory: URL
    /// Where the scripts' output is kept, out of their sight.
    let notes: URL

    /// How long a script may take before it is stopped, in seconds; its status is 124 then.
    private static let patience = "120"

    private var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment
        let tools = CommandCase.tests.appending(path: "Tools").path
        var environment = [
            "PATH": "\(BuiltProgram.folder.path):\(tools):\(own["PATH"] ?? "/usr/bin:/bin")",
            "HOME": directory.path, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "100",
        ]
        // Where Swift's own libraries are found, should they lie in an unusual place.
        environment["LD_LIBRARY_PATH"] = own["LD_LIBRARY_PATH"]
        return environment
    }

    /// Runs a script to its end; it reads nothing unless it says so itself.
    func run(script: URL) throws -> CommandCase.Outcome {
        // Files, not pipes: programs that are started at the same moment inherit pipes and keep them open.
        let output = notes.appending(path: "output")
        let errors = notes.appending(path: "errors")
        try Data().write(to: output)
        try Data().write(to: errors)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "-k", "5", Sandbox.patience, "sh", "-u", script.path]
        process.environment = environment
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return CommandCase.Outcome(
            output: try Data(contentsOf: output), errors: try Data(contentsOf: errors),
            status: process.terminationStatus)
    }

    /// The same bytes, with what differs from run to run replaced.
    func withPlaceholders(_ bytes: Data) -> Data {
        let text = String(decoding: bytes, as: UTF8.self)
        // Bytes that are no text are compared as they are.
        guard text.utf8.elementsEqual(bytes) else { return bytes }
        return Data(text.replacing(directory.path, with: "{directory}").utf8)
    }
}
