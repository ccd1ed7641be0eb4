import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

@testable import Analysis

/// Counting a verification of a known function on a known day allocates nothing.
///
/// Without optimisation, closures and generic locks do: run it with `swift test -c release -Xswiftc -enable-testing`.
@Suite(.enabled(if: isOptimised, "the build is not optimised"))
struct SteadyStateTests {
    @Test func countingAllocatesNothing() {
        var sink = TallySink(seen: nil, range: TimeRange(), horizon: laterThanAll)
        count(1000, into: &sink)
        let before = sink.summary.verifications
        let counts = [1000, 5000].map { number in allocations { count(number, into: &sink) } }
        #expect(sink.summary.verifications - before == 6000)
        #expect(counts == [0, 0])
    }

    /// Fingerprints cost what their tables grow by; when they are known, a batch allocates the lists that sort it.
    @Test func copiesAllocateListsOfBatches() {
        let seen = SeenVerifications()
        var sink = TallySink(seen: seen, range: TimeRange(), horizon: laterThanAll)
        // The first copies may still make a table grow that is full.
        for _ in 0..<2 { count(20_000, into: &sink) }
        sink.endSource()
        let allocated = allocations {
            count(20_000, into: &sink)
            sink.endSource()
        }
        var copies = 0
        seen.forEach { copies += $0.copies }
        #expect(copies == 40_000)
        if let allocated { #expect(allocated <= 2 * (20_000 / 4096 + 1)) }
    }

    private func count(_ number: Int, into sink: inout TallySink) {
        for index in 0..<number {
            let instant = Instant(seconds: 1_791_979_200 + Int64(index % 20) * 86_400, nanoseconds: UInt32(index))
            sink.count(
                Verification(
                    function: Int32(index % 7), app: .missing,
                    auth: .valid,
                    severity: .debug, instant: instant,
                    fingerprint: Fingerprint(value: UInt64(index + 1) &* 0x9e37_79b9_7f4a_7c15)))
            sink.noteErrorStream(project: Int32(index % 3), at: instant)
        }
    }
}
