@_spi(Stages) import Analysis
import FuzzSupport
import Verifications

/// Any bytes as a snapshot, with their checksum and with a correct one: refused, or counted once, however often given.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSnapshot(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let fuzzed = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    // Other bytes are a log.
    let bytes = SnapshotStages.magic + fuzzed.dropFirst(SnapshotStages.magic.count)
    for bytes in [bytes, SnapshotStages.sealed(bytes)] {
        let file = Fuzzed.input(bytes)
        let horizon = Instant(seconds: 1_900_000_000)
        let once = LogAnalysis(inputs: [file], horizon: horizon).run().input
        let twice = LogAnalysis(inputs: [file, file], horizon: horizon).run().input
        require(once.verifications == twice.verifications, "a source of two snapshots was counted twice")
        require(once.records == twice.records, "a source of two snapshots was read twice")
    }
    return 0
}
