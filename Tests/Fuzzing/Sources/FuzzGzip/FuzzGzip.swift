import FuzzSupport
@_spi(Checks) import LogStream

/// Any bytes behind the header of a gzip member, with an intact member in front of it.
///
/// The intact member is counted, regardless of what follows. The checksum by vector instructions is that of libz.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGzip(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    require(VectorChecks.checksumsAgree(on: bytes, cutAt: count / 3), "a check sum is not that of libz")
    let alone = Fuzzed(header + bytes)
    require(alone.addsUp, "a record was classed twice")
    require(Fuzzed(header + bytes, chunkBytes: 1 + count % 61) == alone, "the size of chunks changed the result")
    let behind = Fuzzed(intactMember + header + bytes)
    require(behind.found.count >= 1, "the intact member was not counted")
    return 0
}

private let record = #"""
    {"insertId":"a","labels":{"firebase-log-type":"callable-request-verification"},\#
    "jsonPayload":{"verifications":{"app":"VALID","auth":"VALID"}}}

    """#

/// The record in one stored block.
private let intactMember: [UInt8] = {
    let bytes = Array(record.utf8)
    let lengths = [UInt16(bytes.count), ~UInt16(bytes.count)]
    let checksum = bytes.reduce(UInt32.max) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    let trailer = [~checksum, UInt32(bytes.count)]
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1]
        + lengths.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } + bytes
        + trailer.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
}()
