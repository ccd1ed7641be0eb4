import Entries
import Foundation
import LogStream
import Readiness
import TestSupport
import Verifications

/// A day after all that tests log.
let laterThanAll = Instant(seconds: 1_900_000_000)

/// Files in a temporary directory, and runs over them.
struct Files {
    let directory: TemporaryDirectory
    let inputs: [LogInput]

    /// Writes one file for each text, compressed where `isCompressed` says so.
    init(_ texts: [String], isCompressed: (Int) -> Bool = { _ in false }) throws {
        directory = try TemporaryDirectory()
        for (index, text) in texts.enumerated() {
            let plain = Array(text.utf8)
            let name = "\(index < 10 ? "0" : "")\(index).json"
            if isCompressed(index) {
                try directory.write(Gzip.member(plain), to: "\(name).gz")
            } else {
                try directory.write(plain, to: name)
            }
        }
        inputs = LogInput.expand([directory.url.path])
    }

    /// One pass over the files, in the order given.
    func run(
        inputs: [LogInput]? = nil, jobs: Int = 1, configure: (inout LogAnalysis) -> Void = { _ in }
    ) -> LogAnalysis.Result {
        var analysis = LogAnalysis(inputs: inputs ?? self.inputs, horizon: laterThanAll)
        analysis.jobs = jobs
        configure(&analysis)
        return analysis.run()
    }
}

extension LogAnalysis.Result {
    /// Verifications that are counted in the functions.
    var counted: Int { tally.functions.values.reduce(0) { $0 + $1.totals.total } }
}
