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

    /// Fingerprints cost what their table grows by, and nothing when they are known.
    @Test func copiesAllocateNothing() {
        var sink = TallySink(seen: SeenVerifications(), range: TimeRange(), horizon: laterThanAll)
        count(20_000, into: &sink)
        let allocated = allocations { count(20_000, into: &sink) }
        #expect(sink.summary.duplicates == 20_000)
        #expect(allocated == 0)
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
