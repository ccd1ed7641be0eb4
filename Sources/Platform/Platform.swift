// The C library of the platform, for everything else: nothing but this file names a platform.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

/// True when the process was started to ignore a signal, or has come to ignore it.
package func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // Safe: fills the structure it is given.
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
        let handler = unsafe action.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
        let handler = unsafe action.__sa_handler.sa_handler
    #elseif canImport(Darwin)
        let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    // Safe: both are a pointer to a function, or one of the numbers that stand for none.
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// How many columns a terminal says that it has; nil for what is no terminal, and when it does not say.
package func terminalColumns(of descriptor: Int32) -> Int? {
    terminalSize(of: descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil }
}

/// The same for its rows.
package func terminalRows(of descriptor: Int32) -> Int? {
    terminalSize(of: descriptor).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil }
}

private func terminalSize(of descriptor: Int32) -> winsize? {
    var size = winsize()
    #if canImport(Musl)
        let request = Int32(TIOCGWINSZ)
    #else
        let request = UInt(TIOCGWINSZ)
    #endif
    // Safe: TIOCGWINSZ fills the structure it is given.
    return unsafe ioctl(descriptor, request, &size) == 0 ? size : nil
}
