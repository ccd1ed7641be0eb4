import Dispatch
import Glibc
import Synchronization

/// Ends the program in good order when it is told to stop: status 130 for an interrupt, 143 for a termination.
///
/// The progress line is wiped and a half-written output removed. A closed pipe is no signal but an error of the write.
enum Signals {
    // Safe: written by install() alone, before there is a second thread; read by nobody, it keeps the sources alive.
    nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []
    private static let halfWritten = Mutex<String?>(nil)

    static func install() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM] {
            // A job started with `nohup` or in the background keeps ignoring what it was told to ignore.
            guard !isIgnored(number) else { continue }
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                Progress.wipe()
                if let path = halfWritten.withLock({ $0 }) { unsafe unlink(path) }
                _exit(128 + number)
            }
            source.resume()
            unsafe sources.append(source)
        }
    }

    /// Names the file to remove if the program is stopped now; nil when it is complete.
    static func note(halfWritten path: String?) {
        halfWritten.withLock { $0 = path }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
