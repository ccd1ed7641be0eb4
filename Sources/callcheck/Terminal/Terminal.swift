import LogStream
import Platform
import Reports
import Verifications

/// What the place that output goes to is like.
enum Terminal {
    static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// How a table may look there.
    ///
    /// - Parameters:
    ///   - color: `--color`; `auto` uses colour on a terminal unless `NO_COLOR` is set or `TERM` is `dumb`.
    ///   - isRedirected: True when the table goes into a file.
    /// - Returns: Width, colour and character set.
    static func style(color: ColorChoice, isRedirected: Bool) -> TerminalStyle {
        let isShown = !isRedirected && isTerminal(STDOUT_FILENO)
        let isColored =
            switch color {
            case .always: true
            case .never: false
            case .auto: isShown && (environment("NO_COLOR") ?? "").isEmpty && !isDumb
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
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        guard let locale, locale != "C", locale != "POSIX" else { return locale == nil }
        return locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
    }

    /// True in a job of GitHub Actions, whose pages collapse long lists.
    static var isGitHub: Bool {
        environment("GITHUB_ACTIONS") == "true"
    }

    /// A path that a variable names; nil when it is not set or empty.
    static func path(named variable: String) -> String? {
        // Safe: as below; a path need not be UTF-8.
        let bytes = unsafe getenv(variable).map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        return bytes.flatMap { $0.isEmpty ? nil : SystemPath.argument($0) }
    }

    static func environment(_ name: String) -> String? {
        // Safe: getenv returns a string that ends in NUL, copied at once; nothing here changes the environment.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}

/// The wall clock.
enum Clock {
    static func now() -> Instant {
        var time = timespec()
        // Safe: fills the structure it is given.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
    }

    /// Seconds since some fixed point; they never go back.
    static func monotonicSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
