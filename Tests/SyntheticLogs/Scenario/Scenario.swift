package import Verifications

/// Everything that decides the content of a log: the same scenario always gives the same bytes.
///
/// ```swift
/// var scenario = Scenario(seed: 1, firstDay: monday, functions: [
///     FunctionProfile(name: "addMessage", days: [[Requests(1000, app: .valid, auth: .valid)]])
/// ])
/// scenario.recordsPerVerification = 5
/// ```
public struct Scenario: Sendable {
    package var seed: UInt64
    package var firstDay: Day
    /// Functions of different identities.
    package var functions: [FunctionProfile]
    /// All records for each verification, on average: 1 is nothing but verifications, 5 is one in five.
    package var recordsPerVerification = 1.0
    /// Whether the functions write their own lines, which fill up the records; the SDK and the platform always write
    /// lines.
    package var hasOwnLines = true
    /// Share of entries that are written a second time, as by two overlapping sinks.
    package var duplicateShare = 0.0
    /// Share of verifications that carry neither `timestamp` nor `receiveTimestamp`.
    package var undatedShare = 0.0
    /// Share of entries that arrive one to ten hours late, and are that much later in the log.
    package var lateShare = 0.0
    package var filter = SinkFilter()

    package init(seed: UInt64, firstDay: Day, functions: [FunctionProfile]) {
        self.seed = seed
        self.firstDay = firstDay
        self.functions = functions
    }

    /// Days from the first one to the last on which any function is called.
    package var dayCount: Int {
        functions.map(\.days.count).max() ?? 0
    }

    /// Requests of all functions and days, before duplicates and the sink's filter.
    package var requestCount: Int {
        functions.reduce(0) { sum, function in
            sum + function.days.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
        }
    }

    /// The scenario with every number of requests multiplied by a factor.
    ///
    /// What rounding cuts off is carried to the function's next day, apart for each pair of statuses, so that the rare
    /// ones keep their share.
    package func scaled(by factor: Double) -> Scenario {
        var scaled = self
        for function in functions.indices {
            var random = SeededRandom(seed: seed, name: functions[function].name)
            var carries = (0..<16).map { _ in random.unit() }
            for day in functions[function].days.indices {
                for (index, requests) in functions[function].days[day].enumerated() {
                    let pair = Int(requests.app.rawValue) * 4 + Int(requests.auth.rawValue)
                    let exact = Double(requests.count) * factor + carries[pair]
                    let whole = Int(exact)
                    carries[pair] = exact - Double(whole)
                    scaled.functions[function].days[day][index].count = whole
                }
            }
        }
        return scaled
    }

    /// The scenario with as many requests as fill a log of about this size, in plain bytes of a transport.
    ///
    /// A pilot of about 10,000 requests is written to nowhere to measure the size of one; from a few megabytes on, the
    /// result is within 1% of the wanted size.
    public func scaled(toBytes bytes: Int, as transport: Transport = .lines) throws -> Scenario {
        let requests = Double(max(1, requestCount))
        let pilot = scaled(by: 10_000 / requests)
        let measured = try pilot.write(as: transport) { _, _ in }
        let bytesPerRequest = Double(measured.bytes) / Double(max(1, pilot.requestCount))
        return scaled(by: Double(bytes) / bytesPerRequest / requests)
    }
}
