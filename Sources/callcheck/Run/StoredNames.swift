import ArgumentParser
import History
import LogStream
import Platform
import PolicyFile

/// Completes the names of functions, in a shell, with those that the store knows.
enum StoredNames {
    static let completion = CompletionKind.custom { words, _, _ in names(for: words) }

    /// The names in the store that the command line or the settings name; none when it cannot be read.
    private static func names(for words: [String]) -> [String] {
        guard var settings = try? Settings(value(of: "--config", in: words)) else { return [] }
        var path = value(of: "--store", in: words)
        settings.fill(&path, path: .store)
        guard let path, unsafe access(SystemPath(path).characters, R_OK) == 0,
            let names = try? StoreFile.use(
                path, for: .reading,
                { store throws(HistoryFailure) in
                    try store.functionNames()
                })
        else { return [] }
        // Names come from the log, and the shell reads what is printed here.
        return names.filter { $0.utf8.allSatisfy(isPlain) }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        for (index, word) in words.enumerated().reversed() {
            if word == option, index + 1 < words.count { return words[index + 1] }
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
        }
        return nil
    }

    /// True for the characters of function names.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
