import CTestSupport
@_spi(Stages) import Entries
import Foundation
@_spi(Stages) import LogStream
import Verifications

/// Each stage of the pipeline by itself, on one thread.
struct StageTable {
    private let options: Options
    private let corpora: Corpora

    init(_ options: Options) throws {
        var options = options
        options.bytes = options.bytes ?? 200_000_000
        self.options = options
        corpora = try Corpora(options)
    }

    func run() throws {
        try corpora.make()
        print("stage     corpus       GB/s  allocations per record")
        for (name, plain, gzipped) in [
            ("mixed", corpora.plain, corpora.mixed), ("dense", corpora.path("dense.json"), corpora.dense),
        ] {
            let lines = try [UInt8](Data(contentsOf: URL(filePath: plain)))
            let stages = BufferStages(lines: lines)
            let records = stages.frame()
            let bytes = lines.count
            func stage(_ stage: String, _ work: () -> Void) { measure(stage, name, bytes, records, work) }
            stage("inflate") { use(BufferStages.inflate(.file(gzipped)) == bytes) }
            stage("CRC") { use(stages.checksum() != 0) }
            stage("search") { use(stages.search() >= records) }
            stage("frame") { use(stages.frame() == records) }
            stage("parse") { use(stages.parse() > 0) }
            stage("read") { use(stages.read() > 0) }
            stage("all, gz") { use(analyse(gzipped) > 0) }
            stage("all") { use(analyse(plain) > 0) }
        }
        tally()
    }

    /// A whole run on one thread.
    private func analyse(_ path: String) -> Int {
        var analysis = LogAnalysis(inputs: [.file(path)], horizon: Instant(seconds: 4_000_000_000, nanoseconds: 0))
        analysis.removesDuplicates = false
        return analysis.run().input.verifications
    }

    private func tally() {
        var counting = CountingStages()
        let number = 2_000_000
        func count() {
            for index in 0..<number {
                counting.add(
                    Verification(
                        function: 0, app: index % 9 == 0 ? .missing : .valid, auth: .valid, severity: .debug,
                        instant: Instant(seconds: 1_791_979_200 + Int64(index / 20), nanoseconds: UInt32(index)),
                        fingerprint: Fingerprint(value: UInt64(index) &* 0x9E37_79B9_7F4A_7C15)))
            }
            use(counting.count() == number)
        }
        count()
        let before = CTestSupport_allocations()
        let seconds = fastest(count)
        let allocations = Double(CTestSupport_allocations() - before) / Double(options.rounds * number)
        print(
            "tally".padded(to: 10), "\((seconds / Double(number) * 1e9).formatted(decimals: 1)) ns a verification",
            allocations.formatted(decimals: 5).leftPadded(to: 12), separator: "")
    }

    private func measure(_ stage: String, _ corpus: String, _ bytes: Int, _ records: Int, _ work: () -> Void) {
        // What is kept from one source to the next comes with the first.
        work()
        let before = CTestSupport_allocations()
        let seconds = fastest(work)
        let allocations = Double(CTestSupport_allocations() - before) / Double(options.rounds * records)
        print(
            stage.padded(to: 10), corpus.padded(to: 8),
            (Double(bytes) / seconds / 1e9).formatted(decimals: 2).leftPadded(to: 9),
            allocations.formatted(decimals: 5).leftPadded(to: 12), separator: "")
    }

    /// The shortest of all rounds, in seconds of this thread on a processor: what disturbs a run only makes it longer.
    private func fastest(_ work: () -> Void) -> Double {
        let times = (0..<options.rounds).map { _ in
            let start = processorSeconds
            work()
            return processorSeconds - start
        }
        return times.min() ?? .nan
    }

    private var processorSeconds: Double {
        var time = timespec()
        // Safe: the place outlives the call.
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A stage that does not yield what it must is not measured.
    private func use(_ isRight: Bool) {
        precondition(isRight, "a stage went wrong")
    }
}
