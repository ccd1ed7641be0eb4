import Platform
import Synchronization

/// The whole terminal, for a page that changes; its previous content comes back.
///
/// The sequences are those of xterm (ctlseqs, "The Alternate Screen Buffer"), which every terminal today supports.
struct Screen {
    private static let isOpen = Atomic<Bool>(false)

    /// Takes over the screen, and hides the cursor.
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

    /// Restores the screen, if it was taken over.
    static func restore() {
        guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
        _ = writeAll(Array("\u{1B}[?25h\u{1B}[?1049l".utf8), to: STDOUT_FILENO)
    }
}
