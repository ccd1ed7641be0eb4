import Dispatch
import LogStream
import Platform
import Synchronization

/// Ends the program cleanly when a signal stops it: status 130 for an interrupt, 143 for a termination, 129 when its
/// terminal is gone, 131 for `SIGQUIT`, for which Swift's runtime would print memory and go on.
///
/// The progress line is wiped and a half-written output removed. A closed pipe and a file that has grown to its limit
/// are not signals but write errors.
enum Signals {
    // Safe: written by install() alone, before there is a second thread; read by nobody, it keeps the sources alive.
    nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []
    private static let halfWritten = Mutex<String?>(nil)
    /// The first signal while ``wait(_:)`` holds; 0 for none.
    private static let first = Atomic<Int32>(0)
    /// The action before a second signal ends the program; nil if the first one does.
    private static let lastStep = Mutex<(@Sendable () -> Void)?>(nil)

    static func install() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // A separate queue: the threads of the shared ones are all busy reading.
        let queue = DispatchQueue(label: "callcheck.signals")
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            // A job started with `nohup` or in the background keeps ignoring the signals that it was started to ignore.
            guard !isIgnored(number) else { continue }
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if let lastStep = lastStep.withLock(\.self) {
                    guard first.exchange(number, ordering: .relaxed) != 0 else { return }
                    lastStep()
                }
                Progress.wipe()
                // The lock is held to the end: no new file can be created between the removal and the exit.
                halfWritten.withLock { path in
                    if let path { FileSystem.remove(SystemPath(path).characters) }
                    _exit(128 + number)
                }
            }
            source.resume()
            unsafe sources.append(source)
        }
    }

    /// The signal that has come since ``wait(_:)``; 0 for none.
    static var received: Int32 { first.load(ordering: .relaxed) }

    /// From now on the program ends by itself after a signal; a second one ends it at once, after `lastStep`.
    static func wait(_ lastStep: @escaping @Sendable () -> Void) { Signals.lastStep.withLock { $0 = lastStep } }

    /// Creates a file, while no signal is handled, that is removed if the program stops before ``isComplete()``.
    static func beginning<Value: Sendable>(_ path: String, create: () -> Value) -> Value {
        halfWritten.withLock { halfWritten in
            halfWritten = path
            return create()
        }
    }

    static func isComplete() { halfWritten.withLock { $0 = nil } }
}

/// Ends the program with one line and status 70 when it has broken one of its rules.
///
/// Swift's own report of a crash shows the memory that registers point to, which may be a piece of the log that was
/// being read; so would a dump of the whole memory.
enum Crashes {
    static func install() {
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            signal(number) { _ in
                // Safe: write(2) and _exit(2) may be called from a handler, and the text is a constant.
                _ = unsafe write(STDERR_FILENO, Crashes.message.utf8Start, Crashes.message.utf8CodeUnitCount)
                _exit(ExitStatus.internalError.rawValue)
            }
        }
    }

    private static let message: StaticString = """
        callcheck: a fault of the program, not of the input; what was printed is not complete. Please report the command \
        line and what callcheck --version prints\n
        """
}
