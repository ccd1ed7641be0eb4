import Foundation

/// A command line, without a shell.
struct Command: Hashable {
    let program: String
    let arguments: [String]

    init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// What one run of it took.
    struct Cost {
        /// Wall time in seconds, from before the start to after the end.
        var seconds: Double
        /// Time of all its threads on processors, in seconds.
        var processorSeconds: Double
        /// Peak resident memory in MiB.
        var residentMiB: Double
    }

    /// The path of a program, looked up in `PATH`; nil if it is not installed.
    static func place(of name: String) -> String? {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs it to its end and measures it.
    ///
    /// - Parameter output: The file that takes its standard output.
    /// - Returns: What the run took.
    /// - Throws: When it cannot be started, or fails.
    func run(output: String = "/dev/null") throws -> Cost {
        guard let place = Command.place(of: program) else { throw Failure("\(program) is not installed") }
        // Safe: the lists end in nil, and they and what they point to outlive the call, which keeps nothing.
        let words = unsafe ([place] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var process = pid_t()
        let start = ContinuousClock.now
        let code = unsafe posix_spawn(&process, place, &actions, nil, words, environ)
        guard code == 0 else { throw Failure("cannot start \(place): \(unsafe String(cString: strerror(code)))") }
        var status: Int32 = 0
        var usage = rusage()
        // Safe: both places outlive the call.
        while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let wall = ContinuousClock.now - start
        guard status == 0 else { throw Failure("\(description) failed with wait status \(status)") }
        return Cost(
            seconds: wall.seconds, processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds,
            residentMiB: Double(usage.ru_maxrss) / 1024)
    }
}

extension Command: CustomStringConvertible {
    var description: String {
        ([URL(filePath: program).lastPathComponent] + arguments.map { $0.contains("\n") ? "…" : $0 })
            .joined(separator: " ")
    }
}

extension Duration {
    /// In seconds, fractions included.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
