/// Cuts a source's plain bytes into records and hands them to a taker.
protocol Framer: ~Copyable {
    /// Reads on; the bytes have slack behind them.
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ taker: inout some RecordTaker)
    /// Goes on behind lost bytes, at a place that may be anywhere in a record.
    mutating func resume(_ taker: inout some RecordTaker)
    /// Ends the source; when it is damaged, bytes are missing behind the last ones.
    mutating func finish(isDamaged: Bool, _ taker: inout some RecordTaker)
}
