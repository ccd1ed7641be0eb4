import Dispatch
import LogStream
import Platform
import Reports
import Synchronization

/// One line on standard error that shows the progress of a run; only on a terminal, and only when it takes a while.
final class Progress {
    private static let isShown = Atomic<Bool>(false)

    let counter = ReadProgress()
    let input = CurrentInput()
    private let timer: (any DispatchSourceTimer)?

    init(total: Int?, isWanted: Bool) {
        guard isWanted, Terminal.isTerminal(STDERR_FILENO), !Terminal.isDumb else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "callcheck.progress"))
        self.timer = timer
        let start = Clock.monotonicSeconds()
        let (columns, isUnicode) = (terminalColumns(of: STDERR_FILENO) ?? 80, Terminal.isUnicode)
        timer.schedule(deadline: .now() + 0.4, repeating: 0.1)
        timer.setEventHandler { [counter, input] in
            let line = ProgressLine(
                name: input.name, bytes: counter.bytesRead, total: total, seconds: Clock.monotonicSeconds() - start)
            Progress.isShown.store(true, ordering: .relaxed)
            // The last column stays free: some terminals begin a new line after it.
            StandardError.writeRaw("\r\u{1B}[K" + line.text(columns: columns - 1, unicode: isUnicode))
        }
        timer.resume()
    }

    func finish() {
        timer?.cancel()
        Progress.wipe()
    }

    static func wipe() {
        if isShown.exchange(false, ordering: .relaxed) { StandardError.writeRaw("\r\u{1B}[K") }
    }
}

/// The input that was begun last, of those read at the same time.
final class CurrentInput: Sendable {
    private let shown = Mutex("")

    var name: String { shown.withLock { $0 } }

    func begin(_ input: LogInput) {
        shown.withLock { $0 = input == .standardInput ? "standard input" : input.name }
    }
}

/// A line that shows the progress of reading.
///
/// `export.json.gz  ████████░░░░░░░░  52%  386 MB of 742 MB  210 MB/s  2 s left`
struct ProgressLine {
    private static let barColumns = 12

    let name: String
    /// Bytes read so far, as stored.
    let bytes: Int
    /// Bytes to read; nil when not all sizes are known.
    let total: Int?
    let seconds: Double

    /// The line for a terminal of that many columns; what does not fit is left out, the name first.
    func text(columns: Int, unicode: Bool) -> String {
        let share = total.flatMap { $0 > 0 && bytes <= $0 ? Double(bytes) / Double($0) : nil }
        let bar = share.map { "\(ProgressLine.bar($0, unicode: unicode)) " } ?? ""
        let room = columns - bar.count - figures.count - 2
        let file = name.split(separator: "/").last.map(String.init) ?? name
        let shown = DisplayText(file, ascii: !unicode).cut(to: room, ellipsis: unicode ? "…" : "...")
        return String(((room < 8 ? "" : shown + "  ") + bar + figures).prefix(columns))
    }

    private var figures: String {
        let rate = Double(bytes) / max(seconds, 0.001)
        let speed = "\(ProgressLine.megabytes(Int(rate)))/s"
        guard let total, total > 0, bytes <= total else { return "\(ProgressLine.megabytes(bytes)) read  \(speed)" }
        let percent = String(bytes * 100 / total)
        let left = rate > 0 ? Int((Double(total - bytes) / rate).rounded(.up)) : 0
        let padding = String(repeating: " ", count: max(0, 3 - percent.utf8.count))
        let amount = "\(ProgressLine.megabytes(bytes)) of \(ProgressLine.megabytes(total))"
        return "\(padding)\(percent)%  \(amount)  \(speed)  \(ProgressLine.duration(left)) left"
    }

    private static func bar(_ share: Double, unicode: Bool) -> String {
        let filled = Int(share * Double(barColumns))
        return String(repeating: unicode ? "█" : "#", count: filled)
            + String(repeating: unicode ? "░" : ".", count: barColumns - filled)
    }

    private static func megabytes(_ bytes: Int) -> String {
        bytes < 10_000_000 ? "\(bytes / 100_000 / 10).\(bytes / 100_000 % 10) MB" : "\(bytes / 1_000_000) MB"
    }

    private static func duration(_ seconds: Int) -> String {
        seconds < 90 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }
}
