import Dispatch
import Glibc
import LogStream
import Synchronization

/// One line on standard error that says how far a run has come; only on a terminal, and only when it takes a while.
final class Progress {
    private static let isShown = Atomic<Bool>(false)

    let counter = ReadProgress()
    private let total: Int?
    private let timer: (any DispatchSourceTimer)?
    private let start = Clock.monotonicSeconds()

    /// - Parameters:
    ///   - total: Bytes to read, when all sizes are known.
    ///   - isWanted: False for `--quiet` and `--no-progress`.
    init(total: Int?, isWanted: Bool) {
        self.total = total
        guard isWanted, Terminal.isTerminal(STDERR_FILENO) else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "callcheck.progress"))
        self.timer = timer
        timer.schedule(deadline: .now() + 0.4, repeating: 0.1)
        timer.setEventHandler { [counter, start] in
            let line = Progress.line(
                bytes: counter.bytesRead, total: total, seconds: Clock.monotonicSeconds() - start)
            Progress.isShown.store(true, ordering: .relaxed)
            StandardError.writeRaw("\r\u{1B}[K" + line)
        }
        timer.resume()
    }

    /// Takes the line away.
    func finish() {
        timer?.cancel()
        Progress.wipe()
    }

    static func wipe() {
        if isShown.exchange(false, ordering: .relaxed) { StandardError.writeRaw("\r\u{1B}[K") }
    }

    /// What the line says.
    ///
    /// ` 42 %  312 MB of 742 MB  210 MB/s  2 s left`
    static func line(bytes: Int, total: Int?, seconds: Double) -> String {
        let rate = Double(bytes) / max(seconds, 0.001)
        let speed = "\(megabytes(Int(rate)))/s"
        guard let total, total > 0, bytes <= total else { return "\(megabytes(bytes)) read  \(speed)" }
        let percent = String(bytes * 100 / total)
        let left = rate > 0 ? Int((Double(total - bytes) / rate).rounded(.up)) : 0
        let padding = String(repeating: " ", count: max(0, 3 - percent.utf8.count))
        return "\(padding)\(percent) %  \(megabytes(bytes)) of \(megabytes(total))  \(speed)  \(duration(left)) left"
    }

    private static func megabytes(_ bytes: Int) -> String {
        bytes < 10_000_000 ? "\(bytes / 100_000 / 10).\(bytes / 100_000 % 10) MB" : "\(bytes / 1_000_000) MB"
    }

    private static func duration(_ seconds: Int) -> String {
        seconds < 90 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }
}
