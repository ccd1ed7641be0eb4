public import Verifications

/// Receives what a scanner finds, record by record.
public protocol RecordSink {
    /// What came was all of the source.
    mutating func endSource()
    /// A function that an index stands for from now on.
    mutating func meet(_ function: FunctionIdentity, as index: Int32)
    /// One verification that is neither malformed nor the emulator's; copies, provenance and time ranges are the sink's
    /// affair.
    mutating func count(_ verification: Verification)
    /// An entry that carries the SDK's label and not the SDK's message, or a message that contradicts its statuses.
    mutating func discardForeign(_ provenance: Provenance, function: Int32)
    /// An entry of generation 2's standard-error log, verification or not.
    mutating func noteErrorStream(project: Int32, at instant: Instant?)
    /// The function's index will stand for another one: what was counted under it belongs to index 0, which pools all
    /// functions beyond the limit.
    mutating func retire(function: Int32)
    /// As ``retire(function:)``, for a project.
    mutating func retire(project: Int32)
}
