/// Dresses entries as one transport does; what happened is none of its business.
///
/// Writers share nothing with the readers of logs: each is a check of the other.
protocol TransportWriter {
    /// Appends the text before the first entry.
    mutating func begin(_ bytes: inout [UInt8])

    /// Appends one entry, or what the transport has to say instead of it.
    ///
    /// - Returns: How many records this is: none for what the transport does not show, several for text over several
    ///   lines where each line is a record.
    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int

    /// Appends the text after the last entry.
    mutating func end(_ bytes: inout [UInt8])
}

extension TransportWriter {
    mutating func begin(_ bytes: inout [UInt8]) {}
    mutating func end(_ bytes: inout [UInt8]) {}
}
