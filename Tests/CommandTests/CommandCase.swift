import Foundation
import TestSupport
import Testing

/// One run of the command line, as a folder of files.
///
/// | file | what it is |
/// |---|---|
/// | `command` | the command to run: one line or a few for `sh`, in a temporary directory |
/// | `stdout`, `stderr`, `status` | what must come out, to the byte; all three are always there |
/// | `make-input` | optional: run before, makes inputs whose bytes are special; must succeed and say nothing |
/// | `needs` | optional: programs that are not on every machine, or lines that must succeed there, one per line |
/// | anything else | is copied into the directory that the command is run in |
///
/// The directory also holds `inputs/`, a copy of `Tests/CommandTests/Inputs`. The scripts of `Tests/CommandTests/Tools`
/// can be called by name, and `$SAMPLES` is the repository's folder of samples. In what comes out, the path of the
/// directory reads `{directory}`, and long fractions are rounded to nine digits: their last ones depend on how the
/// compiler ordered the steps.
struct CommandCase: CustomTestStringConvertible, Sendable {
    let name: String
    private let folder: URL

    var testDescription: String { name }

    /// Where this file lies.
    static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    /// All cases, by name.
    static let all: [CommandCase] = {
        let folder = tests.appending(path: "Cases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map {
            CommandCase(name: $0, folder: folder.appending(path: $0))
        }
    }()

    private static let reserved: Set<String> = ["command", "make-input", "needs", "stdout", "stderr", "status"]

    func expectation(_ name: String) -> GoldenFile {
        GoldenFile(folder.appending(path: name))
    }

    /// What is run.
    var script: String? { text(of: "command") }

    /// What it needs and this machine does not have or allow; nothing counts as missing where all is required.
    var missingTools: [String] {
        let isRequired = ProcessInfo.processInfo.environment["CALLCHECK_REQUIRE_TOOLS"] == "1"
        guard !isRequired, let needs = text(of: "needs") else { return [] }
        return needs.split(separator: "\n").map { String($0) }.filter { !CommandCase.isMet($0) }
    }

    private static func isMet(_ need: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", need.contains(" ") ? need : "command -v \(need)"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Runs it in a fresh directory.
    func run() throws -> Shell.Outcome {
        let directory = try TemporaryDirectory()
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: folder.path) where !CommandCase.reserved.contains(name) {
            try files.copyItem(at: folder.appending(path: name), to: directory.url.appending(path: name))
        }
        try files.copyItem(
            at: CommandCase.tests.appending(path: "Inputs"), to: directory.url.appending(path: "inputs"))

        let shell = Shell(
            in: directory.url, tools: [CommandCase.tests.appending(path: "Tools")],
            variables: ["SAMPLES": CommandCase.tests.appending(path: "../../samples").standardizedFileURL.path])
        if text(of: "make-input") != nil {
            let made = try shell.run(script: folder.appending(path: "make-input"))
            guard made.status == 0, made.output.isEmpty, made.errors.isEmpty else {
                throw BadRecipe(case: name, message: String(decoding: made.output + made.errors, as: UTF8.self))
            }
        }
        var outcome = try shell.run(script: folder.appending(path: "command"))
        outcome.output = withPlaceholders(outcome.output, directory)
        outcome.errors = withPlaceholders(outcome.errors, directory)
        return outcome
    }

    /// A `make-input` that failed or had something to say.
    struct BadRecipe: Error {
        let `case`: String
        let message: String
    }

    private func text(of name: String) -> String? {
        (try? Data(contentsOf: folder.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same bytes, with what differs from run to run replaced.
    private func withPlaceholders(_ bytes: Data, _ directory: TemporaryDirectory) -> Data {
        let text = String(decoding: bytes, as: UTF8.self)
        // Bytes that are no text are compared as they are.
        guard text.utf8.elementsEqual(bytes) else { return bytes }
        let named = text.replacing(directory.url.path, with: "{directory}")
        let rounded = named.replacing(#/[0-9]+\.[0-9]{12,}(?:e-?[0-9]+)?/#) { fraction in
            Double(fraction.output).map { String(format: "%.9g", $0) } ?? String(fraction.output)
        }
        return Data(rounded.utf8)
    }
}
