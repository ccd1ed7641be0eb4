import Foundation
import LogStream
import Rollout
import SyntheticLogs
import TestSupport
import Verifications

@testable import callcheck

/// Reads texts as inputs of a rollout.
struct RolloutRun {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The result of one pass over texts; each is a separate input, handled in pieces of `chunkBytes` bytes.
    func read(
        _ texts: [[UInt8]], chunkBytes: Int = 256 << 10
    ) throws -> RolloutAnalysis.Result {
        let inputs = try texts.enumerated().flatMap { number, text in
            try directory.write(text, to: "\(number).json")
            return LogInput.expand([directory.url.appending(path: "\(number).json").path])
        }
        var analysis = RolloutAnalysis(inputs: inputs, horizon: Day(number: 30_000))
        analysis.scan.chunkBytes = chunkBytes
        return analysis.run()
    }

    func read(_ texts: String...) throws -> RolloutAnalysis.Result { try read(texts.map { Array($0.utf8) }) }
}

/// A row with little in it.
func row(
    _ name: String = "AppAttestSuccess", user: String = "someone", date: String = "20261012", more: String = ""
) -> String {
    #"{"event_date":"\#(date)","event_name":"\#(name)","platform":"IOS","user_pseudo_id":"\#(user)"\#(more)}"#
}

/// What counts of a result are compared by.
struct Shown: Equatable {
    let days: [RolloutDay]
    let total: UserCount
    let firstTime: UserCount
    let versions: [ClientVersion]
    let versionCounts: [UserCount]
    let able: Int
    let unsupported: Int
    let newest: Instant?

    init(_ result: RolloutAnalysis.Result, window: ClosedRange<Day>) {
        let counts = RolloutCounts(result.tally, window: window)
        (days, total, firstTime) = (counts.days, counts.total, counts.firstTime)
        (versions, versionCounts) = (counts.versions.map(\.client), counts.versions.map(\.count))
        (able, unsupported, newest) = (counts.able, counts.unsupported, result.tally.newest)
    }
}

extension AnalyticsTruth.Users {
    var count: UserCount { UserCount(users: all.count, failedOnly: failedOnly.count) }
}
