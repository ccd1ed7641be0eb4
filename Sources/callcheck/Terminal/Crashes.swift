import Glibc

/// Ends the program with one line and status 70 when it has broken one of its own rules.
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
