@_spi(Stages) import Analysis
import LogStream
import TestSupport
import Testing
import Verifications

/// Every input that ever broke the claim of the fuzzer of snapshots, held against it again.
@Suite struct FailCasesTests {
    /// A snapshot is refused, or counted once however often it is given.
    @Test(arguments: try FailCase.all(of: "FuzzSnapshot", beside: Array(repeating: 0, count: 200)))
    func snapshot(_ one: FailCase) throws {
        let directory = try TemporaryDirectory()
        let bytes = SnapshotStages.magic + one.bytes.dropFirst(SnapshotStages.magic.count)
        for bytes in [bytes, SnapshotStages.sealed(bytes)] {
            let file = LogInput.file(try directory.write(bytes, to: "fuzzed"))
            let runs = [[file], [file, file]].map { LogAnalysis(inputs: $0, horizon: laterThanAll).run().input }
            #expect(runs[0].verifications == runs[1].verifications)
            #expect(runs[0].records == runs[1].records)
        }
    }
}
