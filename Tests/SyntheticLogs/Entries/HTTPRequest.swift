/// A row of the request log.
package struct HTTPRequest: Sendable {
    package enum Method: Sendable {
        case post
        case options
        case get

        package var name: String {
            switch self {
            case .post: "POST"
            case .options: "OPTIONS"
            case .get: "GET"
            }
        }
    }

    package var method: Method
    package var status: Int
    package var latencyNanoseconds: Int64
    package var requestSize: Int
    package var responseSize: Int
    /// Index of ``userAgents``.
    package var userAgent: Int
    /// Random bits from which an address of the ranges for documentation is made (RFC 5737, RFC 3849).
    package var address: UInt64

    /// `User-Agent` headers of mobile apps, browsers and tools.
    package static var userAgents: [String] { Client.userAgents }
}
