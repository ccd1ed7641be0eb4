package import Readiness
package import Verifications

extension AdmittedCallers {
    /// Counts requests that have a row.
    package mutating func add(
        _ count: Int, app: TokenStatus, client: Client, answer: RequestRow.ResponseClass, address: UInt16, hour: Int
    ) {
        guard count > 0 else { return }
        add(Counts(count, app: app, answer: answer, nanosecond: Int64(hour) * 3_600_000_000_000), of: client)
        add(address: address, of: client.kind, isBlocked: app != .valid)
    }
}
