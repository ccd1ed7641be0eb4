package import Readiness
package import Verifications

extension CellWriter {
    /// Adds requests of one instant, or without one; those of a client have a row.
    package mutating func add(
        _ count: Int = 1, app: TokenStatus = .valid, auth: TokenStatus = .valid, severity: PassSeverity = .debug,
        at instant: Instant?, of client: Client? = nil, address: UInt16 = 0, answer: RequestRow.ResponseClass? = nil,
        line: EnforcementSign.Line = .none, cause: RefusalCause? = nil, stint: CellTable.Stint? = nil
    ) {
        guard count > 0 else { return }
        var properties = Cell.Properties(app: app, auth: auth, severity: severity)
        (properties.answer, properties.line, properties.cause) = (answer, line, cause)
        if client != nil { properties.row = .certain }
        properties.hasAddress = address != 0 && client != nil && auth != .invalid
        guard let instant else { return table.addUndated(properties, count: count) }
        let (number, nanosecond) = (client.map { self.number(of: $0) } ?? 0, instant.nanosecondOfDay)
        add(
            properties, client: number, stint: stint, day: instant.day, at: nanosecond...nanosecond, count: count)
        if properties.hasAddress {
            add(
                address: address, properties, isServed: answer == .success || line == .allowing, client: number,
                stint: stint, at: instant, count: count)
        }
    }

    /// Adds rows at the beginning of a day that no verification belongs to.
    package mutating func add(openRows count: Int, answer: RequestRow.ResponseClass, on day: Day) {
        guard count > 0 else { return }
        var properties = Cell.Properties()
        (properties.isVerification, properties.answer, properties.row) = (false, answer, .certain)
        add(properties, client: number(of: Client(kind: .ios)), day: day, at: 0...0, count: count)
    }
}

extension CellTable {
    package init(_ verifications: some Sequence<Verification>) {
        var writer = CellWriter()
        for verification in verifications {
            writer.add(
                app: verification.app, auth: verification.auth, severity: verification.severity,
                at: verification.instant)
        }
        self = writer.finish()
    }
}
