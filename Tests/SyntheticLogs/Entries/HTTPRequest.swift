/// A row of the request log.
public struct HTTPRequest: Sendable {
    public enum Method: Sendable {
        case post
        case options
        case get

        public var name: String {
            switch self {
            case .post: "POST"
            case .options: "OPTIONS"
            case .get: "GET"
            }
        }
    }

    public var method: Method
    public var status: Int
    public var latencyNanoseconds: Int64
    public var requestSize: Int
    public var responseSize: Int
    /// Index of ``userAgents``.
    public var userAgent: Int
    /// Random bits from which an address of the ranges for documentation is made (RFC 5737, RFC 3849).
    public var address: UInt64

    /// `User-Agent` headers of mobile apps, browsers and tools.
    public static var userAgents: [String] { Client.userAgents }
}
