import Dispatch
import Glibc
import LogStream
import Synchronization

/// Ends the program in good order when it is told to stop: status 130 for an interrupt, 143 for a termination, 129 when
/// its terminal is gone.
///
/// The progress line is wiped and a half-written output removed. A closed pipe and a file that has grown to its limit
/// are no signals but errors of the write.
enum Signals {
    // Safe: written by install() alone, before there is a second thread; read by nobody, it keeps the sources alive.
    nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []
    private static let halfWritten = Mutex<String?>(nil)

    static func install() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // A queue of its own: the threads of the shared ones are all busy reading.
        let queue = DispatchQueue(label: "callcheck.signals")
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // A job started with `nohup` or in the background keeps ignoring what it was told to ignore.
            guard !isIgnored(number) else { continue }
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                Progress.wipe()
                // The lock is kept to the end: nothing can be begun between the removal and the exit.
                halfWritten.withLock { path in
                    if let path { unsafe unlink(SystemPath(path).characters) }
                    _exit(128 + number)
                }
            }
            source.resume()
            unsafe sources.append(source)
        }
    }

    /// Creates a file that is to be removed if the program is stopped before ``isComplete()``.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - create: Creates it; no signal is handled meanwhile.
    /// - Returns: What `create` returns.
    static func beginning<Value: Sendable>(_ path: String, create: () -> Value) -> Value {
        halfWritten.withLock { halfWritten in
            halfWritten = path
            return create()
        }
    }

    /// Tells that no file is half-written any more.
    static func isComplete() {
        halfWritten.withLock { $0 = nil }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
