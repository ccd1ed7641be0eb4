@_spi(Checks) import Entries
import FuzzSupport

/// Any bytes as a part of a day in a store: refused, or the same when they were written once more.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRows(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    require(RowChecks.isStable(part: bytes, day: 4000), "a part is another one after it was written once more")
    return 0
}
