package import Verifications

/// One entry as Cloud Logging holds it, before any transport writes it down.
///
/// It is a plain value without references: what repeats from entry to entry is looked up in the ``Deployment``.
/// Writers decide key order, escapes and framing.
package struct LogEntry: Sendable {
    /// Index of the function's ``Deployment``.
    package var deployment: Int
    package var log: Log
    package var severity: Severity
    /// nil when the entry does not carry it.
    package var timestamp: Instant?
    package var receiveTimestamp: Instant?
    package var insertID: InsertID
    package var trace: TraceID?
    /// Written in decimal in the lines of a function, in 16 hexadecimal digits in request logs.
    package var spanID: UInt64?
    /// 60 bits, written as 12 digits in base 36.
    package var executionID: UInt64?
    /// Index in the deployment's instances.
    package var instance: Int
    package var payload: Payload
    /// True when the entry is written for a second time.
    package var isCopy = false
    /// When the sink had it; no entry says so, but messages are stamped with it.
    package var deliveredAt: Instant

    /// The statuses, when the entry is a verification.
    package var verification: (app: TokenStatus, auth: TokenStatus)? {
        guard case .verification(let app, let auth) = payload else { return nil }
        return (app, auth)
    }
}

/// What an entry says.
package enum Payload: Sendable {
    /// `jsonPayload` with the SDK's message and the statuses of both tokens.
    case verification(app: TokenStatus, auth: TokenStatus)
    /// `textPayload`, or `jsonPayload` when the line is a JSON object.
    case line(Line)
    /// `httpRequest`.
    case request(HTTPRequest)
}

/// 96 random bits that tell an entry from others with the same timestamp, written as 24 hexadecimal digits.
package struct InsertID: Hashable, Comparable, Sendable {
    package var high: UInt32
    package var low: UInt64

    package static func < (left: InsertID, right: InsertID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

/// The 128 bits shared by all entries of a request, written as 32 hexadecimal digits.
package struct TraceID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64
}

/// The logs that Cloud Functions write to.
package enum Log: Int, CaseIterable, Sendable {
    /// Everything of generation 1.
    case cloudFunctions
    /// Generation 2: lines at DEBUG and INFO.
    case standardOutput
    /// Generation 2: lines at WARNING and above.
    case standardError
    /// Generation 2: one row for each HTTP request, preflights included.
    case requests

    /// The last part of `logName`, percent-encoded.
    package var id: String {
        switch self {
        case .cloudFunctions: "cloudfunctions.googleapis.com%2Fcloud-functions"
        case .standardOutput: "run.googleapis.com%2Fstdout"
        case .standardError: "run.googleapis.com%2Fstderr"
        case .requests: "run.googleapis.com%2Frequests"
        }
    }
}

/// How important an entry is, ascending.
package enum Severity: Int, Comparable, Sendable {
    /// The entry has no `severity` key.
    case `default`
    case debug
    case info
    case warning
    case error

    /// The spelling in a log; nil for ``default``, which is left out.
    package var name: String? {
        switch self {
        case .default: nil
        case .debug: "DEBUG"
        case .info: "INFO"
        case .warning: "WARNING"
        case .error: "ERROR"
        }
    }

    package static func < (left: Severity, right: Severity) -> Bool {
        left.rawValue < right.rawValue
    }
}
