internal import Verifications

/// Reads a verification from text, as SDKs write it where they have no structured logging.
///
/// ```
/// Callable request verification passed: {'app': 'MISSING', 'auth': 'VALID', 'logging.googleapis.com/labels': {…}}
/// Callable request verification failed: $[('AppCheck token was rejected.', {'app': 'INVALID', 'auth': 'INVALID', …}),
///  ('Auth token was rejected.', {'app': 'INVALID', 'auth': 'INVALID', …})]
/// Callable request verification passed {"verifications":{"app":"VALID","auth":"VALID"},…}
/// ```
///
/// The first two are firebase-functions for Python (`util.py`), whose dictionaries are Python's `repr`; two tuples are
/// one request with two refused tokens. The third is firebase-functions 3.x on Node without structured logging.
enum SDKText {
    /// The statuses of both tokens, as in the text; absent if it names none.
    struct Statuses {
        let message: SDKMessage
        var app: RawText?
        var auth: RawText?
    }

    /// False for the first byte, as JSON spells it, of a text that says nothing here: most need not be decoded.
    static func mayBegin(with initial: UInt8) -> Bool {
        initial == .backslash || initial == UInt8(ascii: "C") || PythonLine.mayBegin(with: initial)
    }

    /// Returns the statuses in the text, if it is the SDK's line about a request.
    static func statuses(in text: RawText) -> Statuses? {
        let message = PythonLine(text)?.message ?? text
        guard message.hasPrefix(Marker.message) else { return nil }
        let rest = message.cut(Marker.length..<message.count)
        guard let said = rest.hasPrefix(" passed") ? .passed : rest.hasPrefix(" failed") ? .failed : SDKMessage?.none
        else { return nil }
        let statuses = Statuses(message: said, app: value(of: "app", in: rest), auth: value(of: "auth", in: rest))
        return statuses.app == nil && statuses.auth == nil ? nil : statuses
    }

    /// The first string value of a key, in single or double quotes.
    private static func value(of key: StaticString, in text: RawText) -> RawText? {
        var index = 0
        while index + key.utf8CodeUnitCount + 1 < text.count {
            let quote = text[index]
            index += 1
            guard quote == UInt8(ascii: "'") || quote == .quote else { continue }
            let rest = text.cut(index..<text.count)
            guard rest.hasPrefix(key), rest[key.utf8CodeUnitCount] == quote else { continue }
            return string(in: rest.cut(key.utf8CodeUnitCount + 1..<rest.count))
        }
        return nil
    }

    private static func string(in text: RawText) -> RawText? {
        var index = 0
        while index < text.count, text[index] == UInt8(ascii: " ") || text[index] == .colon { index += 1 }
        guard index < text.count, text[index] == UInt8(ascii: "'") || text[index] == .quote else { return nil }
        return text.index(of: text[index], from: index + 1).map { text.cut(index + 1..<$0) }
    }
}

/// The message of an entry in which the SDK speaks of a request.
enum SDKMessage {
    case passed
    case failed
    /// As Firebase's documentation spells it.
    case documented

    init?(_ text: RawText) {
        if text == "Callable request verification passed" {
            self = .passed
        } else if text.hasPrefix("Callable request verification failed") {
            self = .failed
        } else if text.hasPrefix("Callable header verification") {
            self = .documented
        } else {
            return nil
        }
    }

    /// False when the statuses are not those of which the SDK says this.
    func fits(_ app: TokenStatus, _ auth: TokenStatus) -> Bool {
        let isRefused = app == .invalid || auth == .invalid
        return switch self {
        case .passed: !isRefused
        case .failed: isRefused || app == .other || auth == .other
        case .documented: true
        }
    }
}

/// A line as Python's `logging.basicConfig` writes it: `WARNING:root:text`.
struct PythonLine {
    let level: RawText
    let message: RawText

    private static let levels: [StaticString] = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]

    static func mayBegin(with initial: UInt8) -> Bool {
        switch initial {
        case UInt8(ascii: "D"), UInt8(ascii: "I"), UInt8(ascii: "W"), UInt8(ascii: "E"), UInt8(ascii: "C"): true
        default: false
        }
    }

    init?(_ line: RawText) {
        guard let initial = line.first, PythonLine.mayBegin(with: initial),
            let colon = line.index(of: .colon, from: 0, before: 9),
            PythonLine.levels.contains(where: { line.cut(0..<colon) == $0 }),
            let next = line.index(of: .colon, from: colon + 1),
            line.index(of: UInt8(ascii: " "), from: colon + 1, before: next) == nil
        else { return nil }
        level = line.cut(0..<colon)
        message = line.cut(next + 1..<line.count)
    }
}
