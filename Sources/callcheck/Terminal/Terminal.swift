import LogStream
import Platform
import PolicyFile
import Reports
import Synchronization
import Verifications

enum Terminal {
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// How a table may look there: `auto` uses colour on a terminal unless `NO_COLOR` is set or `TERM` is `dumb`.
    static func style(color: ColorChoice, isRedirected: Bool) -> TerminalStyle {
        let isShown = !isRedirected && isTerminal(STDOUT_FILENO)
        let isColored =
            switch color {
            case .always: true
            case .never: false
            case .auto: isShown && environment("NO_COLOR") == nil && !isDumb
            }
        return TerminalStyle(columns: columns(isShown: isShown), color: isColored, unicode: isUnicode)
    }

    private static func columns(isShown: Bool) -> Int {
        if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
        return isShown ? terminalColumns(of: STDOUT_FILENO) ?? 80 : 120
    }

    /// True for a terminal that cannot wipe a line.
    static var isDumb: Bool { environment("TERM") == "dumb" }

    /// The locale decides, as for every other program; without one it is a cron job or a container, whose output is
    /// read as UTF-8 today.
    static var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first
        guard let locale, locale != "C", locale != "POSIX" else { return locale == nil }
        return locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
    }

    /// True in a job of GitHub Actions, whose pages collapse long lists.
    static var isGitHub: Bool { environment("GITHUB_ACTIONS") == "true" }

    /// What a variable holds, which need not be UTF-8 where it is a path; nil when it is not set or empty.
    static func environment(_ name: String) -> String? {
        environmentVariable(name).flatMap { $0.isEmpty ? nil : SystemPath.argument($0) }
    }
}

/// The whole terminal, for a page that changes; its previous content comes back.
///
/// The sequences are those of xterm (ctlseqs, "The Alternate Screen Buffer"), which every terminal today supports.
struct Screen {
    private static let isOpen = Atomic<Bool>(false)

    func open() {
        guard !Screen.isOpen.exchange(true, ordering: .sequentiallyConsistent) else { return }
        _ = writeAll(Array("\u{1B}[?1049h\u{1B}[?25l".utf8), to: STDOUT_FILENO)
    }

    /// Shows as many lines of a text as there is room for.
    func show(_ text: String) -> ExitStatus {
        let rows = terminalRows(of: STDOUT_FILENO) ?? 24
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(max(1, rows - 1))
        let page = lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n")
        return StandardOutput.write("\u{1B}[H\(page)\n\u{1B}[J")
    }

    static func restore() {
        guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
        _ = writeAll(Array("\u{1B}[?25h\u{1B}[?1049l".utf8), to: STDOUT_FILENO)
    }
}

enum Clock {
    static func now() -> Instant {
        let time = clockTime(CLOCK_REALTIME)
        return Instant(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
    }

    /// Seconds since some fixed point; they never go back.
    static func monotonicSeconds() -> Double {
        let time = clockTime(CLOCK_MONOTONIC)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
