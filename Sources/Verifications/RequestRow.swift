/// A row of Cloud Run's request log: one POST to a service, which may be a callable function.
///
/// This is what crosses from the stream, once per row: a few words. Only hashes and the kind of client are left
/// of addresses, traces and user agents.
public struct RequestRow: Sendable {
    /// Keyed hash of the service's identity, the same as that of the function.
    package let service: UInt64
    package let instant: Instant
    package let answer: ResponseClass
    package let request: PackedRequestID
    package let fingerprint: UInt64
    package let client: ClientCode
    /// Keyed hash of the caller's address, of IPv6 of its first 64 bits; 0 when the row has none.
    package let address: UInt16
    package let sign: ServiceSign
    package let revision: Revision

    package init(
        service: UInt64, instant: Instant, answer: ResponseClass, request: PackedRequestID, fingerprint: UInt64,
        client: ClientCode, address: UInt16, sign: ServiceSign, revision: Revision = .none
    ) {
        (self.service, self.instant, self.answer) = (service, instant, answer)
        (self.request, self.fingerprint, self.client) = (request, fingerprint, client)
        (self.address, self.sign, self.revision) = (address, sign, revision)
    }

    package enum ServiceSign: UInt8, Comparable, Sendable {
        /// Its entries have labels, and none that a function's have.
        case otherService
        /// Its entries have no labels.
        case unknown
        /// A label, a verification or a line of the SDK shows that it is a function.
        case function

        package static func < (left: ServiceSign, right: ServiceSign) -> Bool { left.rawValue < right.rawValue }
    }

    /// The HTTP status, as far as it matters; stores keep the raw value.
    ///
    /// The row with the lowest one counts if a request has several.
    package enum ResponseClass: UInt8, CaseIterable, Comparable, Sendable {
        case success = 0
        case unauthenticated
        case forbidden
        case notFound
        /// 408, 429 or 499: too late, too many, or given up, which says nothing of the handler.
        case transient
        /// Any other of 400 to 499.
        case failure
        /// No status, or one below 200.
        case other
        case redirect
        case serverError

        package init(status: Int) {
            switch status {
            case 200..<300: self = .success
            case 300..<400: self = .redirect
            case 401: self = .unauthenticated
            case 403: self = .forbidden
            case 404: self = .notFound
            case 408, 429, 499: self = .transient
            case 400..<500: self = .failure
            case 500...: self = .serverError
            default: self = .other
            }
        }

        /// True for a request that reached the function's code.
        package var isServed: Bool { self == .success || self == .redirect }
        /// True for 400 to 499, but for what says nothing of the handler.
        package var isRefused: Bool {
            switch self {
            case .unauthenticated, .forbidden, .notFound, .failure: true
            default: false
            }
        }
        /// True for an answer of 400 or above.
        package var isError: Bool { !isServed && self != .other }
        package static func < (left: ResponseClass, right: ResponseClass) -> Bool { left.rawValue < right.rawValue }
    }
}

/// Keyed hashes of the trace and the span of a request to one service; zero for none.
///
/// Spans tell requests of one trace apart.
public struct PackedRequestID: Hashable, Comparable, Sendable {
    /// 48 bits.
    package let trace: UInt64
    package let span: UInt32

    public static let none = PackedRequestID()
    static let traceBits: UInt64 = 48

    private init() { (trace, span) = (0, 0) }

    /// Packs the hash of service and trace, and that of the span; nil without one.
    package init(trace: UInt64, span: UInt64?) {
        self.trace = max(PackedRequestID.noTrace + 1, trace & (1 << PackedRequestID.traceBits - 1))
        self.span = span.map { max(1, UInt32(truncatingIfNeeded: $0)) } ?? 0
    }

    package init(span: UInt64) {
        (trace, self.span) = (PackedRequestID.noTrace, max(1, UInt32(truncatingIfNeeded: span)))
    }

    /// In the place of a trace where there is a span alone.
    private static let noTrace: UInt64 = 1
    package var isSpanAlone: Bool { trace == PackedRequestID.noTrace }
    package init(bits trace: UInt64, span: UInt32) { (self.trace, self.span) = (trace, span) }
    package var hasSpan: Bool { span != 0 }

    public static func < (left: PackedRequestID, right: PackedRequestID) -> Bool {
        (left.trace, left.span) < (right.trace, right.span)
    }
}

/// A line next to a verification: the SDK's about a refused App Check token, or generation 1's about the answer.
public struct SDKLine: Sendable {
    package enum Meaning: Hashable, Sendable {
        /// Why the token was refused.
        case cause(RefusalCause)
        /// The request goes on all the same, because enforcement is off.
        case allowing
        /// Generation 1, which has no request log: what the execution was answered.
        case answered(RequestRow.ResponseClass)
        /// The same, answered 204: a preflight, and no request for a callable function.
        case preflight
    }

    package enum Link: Hashable, Sendable {
        case execution(UInt64)
        case request(PackedRequestID)
        case function
    }

    /// Keyed hash of the function's identity.
    package let service: UInt64
    package let instant: Instant
    package let meaning: Meaning
    package let link: Link
    package var fingerprint: UInt64
    /// True for a line without an `insertId`: equal lines may be copies, or several requests.
    package let isOfRecord: Bool

    package init(
        service: UInt64, instant: Instant, meaning: Meaning, link: Link, fingerprint: UInt64, isOfRecord: Bool
    ) {
        (self.service, self.instant, self.meaning) = (service, instant, meaning)
        (self.link, self.fingerprint, self.isOfRecord) = (link, fingerprint, isOfRecord)
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
    /// The server could not verify any token.
    case serverFault
    /// The service that consumes tokens once refused it.
    case consume
    case unexplained

    /// The spelling in machine-readable output.
    package var name: String { String(describing: self) }
    public static func < (left: RefusalCause, right: RefusalCause) -> Bool { left.rawValue < right.rawValue }
}
