/// A row of Cloud Run's request log: one POST to a service, which may be a callable function.
///
/// This is what crosses from the stream, once per row: a few words. Of addresses, traces and user agents nothing is
/// left but hashes and the kind of client.
public struct RequestRow: Sendable {
    /// Keyed hash of the service's identity, the same as that of the function.
    package let service: UInt64
    /// When the request began.
    package let instant: Instant
    package let answer: Answer
    package let request: RequestKey
    /// Keyed hash of what tells the row from others.
    package let fingerprint: UInt64
    package let client: ClientKind
    /// Of the app's version, in ``ClientVersions``; 0 when the client does not tell it.
    package let version: UInt64
    /// Keyed hash of the caller's address; 0 when the row has none.
    package let address: UInt64

    package init(
        service: UInt64, instant: Instant, answer: Answer, request: RequestKey, fingerprint: UInt64,
        client: ClientKind, version: UInt64, address: UInt64
    ) {
        self.service = service
        self.instant = instant
        self.answer = answer
        self.request = request
        self.fingerprint = fingerprint
        self.client = client
        self.version = version
        self.address = address
    }

    /// The HTTP status, as far as it matters.
    package enum Answer: UInt8, Comparable, Sendable {
        /// 200 to 299.
        case success = 0
        /// 401.
        case unauthenticated
        /// 400 and above, but for 401.
        case failure
        /// None, or anything below 200 or in the 300s.
        case other

        package init(status: Int) {
            switch status {
            case 200..<300: self = .success
            case 401: self = .unauthenticated
            case 400...: self = .failure
            default: self = .other
            }
        }

        package static func < (left: Answer, right: Answer) -> Bool { left.rawValue < right.rawValue }
    }
}

/// Keyed hashes of the trace and the span of a request to one service, in one word.
///
/// The upper 36 bits are the trace's, the lower 28 the span's, zero without one.
public struct RequestKey: Hashable, Comparable, Sendable {
    package let word: UInt64

    package static let spanBits: UInt64 = 28
    private static let spanMask: UInt64 = 1 << spanBits - 1

    /// Of an entry that names no trace.
    public static var none: RequestKey { RequestKey(word: 0) }

    package init(word: UInt64) { self.word = word }

    /// - Parameters:
    ///   - trace: Hash of service and trace.
    ///   - span: Hash of the span; nil without one.
    package init(trace: UInt64, span: UInt64?) {
        let low = span.map { max(1, $0 & RequestKey.spanMask) } ?? 0
        // Never ``none``.
        word = max(1 << RequestKey.spanBits, trace & ~RequestKey.spanMask) | low
    }

    package var trace: UInt64 { word >> RequestKey.spanBits }
    package var hasSpan: Bool { word & RequestKey.spanMask != 0 }

    public static func < (left: RequestKey, right: RequestKey) -> Bool { left.word < right.word }
}

/// A line that the SDK writes next to a verification whose App Check token was refused.
public struct SDKLine: Sendable {
    package enum Meaning: Hashable, Sendable {
        /// Why the token was refused.
        case cause(RefusalCause)
        /// The request goes on all the same, because enforcement is off.
        case allowing
    }

    /// What the line has in common with its verification.
    package enum Link: Hashable, Sendable {
        /// Keyed hash of the execution.
        case execution(UInt64)
        case request(RequestKey)
        /// Nothing but the function.
        case function
    }

    /// Keyed hash of the function's identity.
    package let service: UInt64
    package let instant: Instant
    package let meaning: Meaning
    package let link: Link
    /// Keyed hash of what tells the line from others.
    package let fingerprint: UInt64
    /// True for a line without an `insertId`: equal lines may be copies, or several requests.
    package let isOfRecord: Bool

    package init(
        service: UInt64, instant: Instant, meaning: Meaning, link: Link, fingerprint: UInt64, isOfRecord: Bool
    ) {
        self.service = service
        self.instant = instant
        self.meaning = meaning
        self.link = link
        self.fingerprint = fingerprint
        self.isOfRecord = isOfRecord
    }
}

/// Why an App Check token was refused, by the SDK's own words.
public enum RefusalCause: UInt8, CaseIterable, Comparable, Sendable {
    /// Not a JWT: the placeholder that clients send when they could not get a token, or a debug secret.
    case placeholder = 0
    case expired
    case otherProject
    case unknownKey
    case forged
    /// A token of another kind, such as an ID token.
    case otherToken
    /// The server could not verify the token, whatever it was.
    case serverFault
    /// The service that consumes tokens once refused it.
    case consume
    case unexplained

    /// The spelling in machine-readable output.
    package var name: String { String(describing: self) }

    public static func < (left: RefusalCause, right: RefusalCause) -> Bool { left.rawValue < right.rawValue }
}
