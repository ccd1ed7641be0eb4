import FuzzSupport
@_spi(Checks) import LogStream

/// Any bytes as a log: compressed or not, in any container.
///
/// How they are cut into chunks, and on how many threads they are read, changes nothing; parsing every record finds the
/// same verifications as looking for the marker first; and the vector forms say what their scalar twins say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLog(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    // Each mask covers 64 bytes, so that none is left out.
    require(VectorChecks.masksAgree(on: bytes, every: 61), "a mask and its scalar twin differ")
    let whole = Fuzzed(bytes)
    require(whole.addsUp, "a record was classed twice")
    require(Fuzzed(bytes, chunkBytes: 1 + count % 61) == whole, "the size of chunks changed the result")
    require(Fuzzed(bytes, readsEvidence: true) == whole, "rows of requests changed what was counted")
    if count % 8 == 0 { require(Fuzzed(bytes, isPipelined: true) == whole, "a second thread changed the result") }
    require(Fuzzed(bytes, isStrict: true).found == whole.found, "the search for the marker lost a verification")
    return 0
}
