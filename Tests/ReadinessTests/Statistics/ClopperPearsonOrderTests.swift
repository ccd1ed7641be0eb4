import Readiness
import Testing

/// How the bounds move when a count or the confidence does.
@Suite struct ClopperPearsonOrderTests {
    private static let requests: [Double] = [1, 2.5, 7, 60, 299, 300, 2000, 4200.7, 1e5, 1e7, 1e9]

    @Test(arguments: requests)
    func boundsRiseWithTheBlockedRequests(requests: Double) {
        for confidence in [0.5, 0.95, 0.9999] {
            var previous = (upper: -1.0, lower: -1.0)
            for blocked in counts(upTo: requests) {
                let upper = ClopperPearson.upper(blocked: blocked, requests: requests, confidence: confidence)
                let lower = ClopperPearson.lower(blocked: blocked, requests: requests, confidence: confidence)
                #expect(upper >= previous.upper, "\(blocked) in \(requests)")
                #expect(lower >= previous.lower, "\(blocked) in \(requests)")
                #expect(lower <= blocked / requests && blocked / requests <= upper, "\(blocked) in \(requests)")
                previous = (upper, lower)
            }
        }
    }

    @Test(arguments: [0, 0.2, 1, 3, 14.5, 42, 1990.5, 1e6])
    func boundsFallAsRequestsPassMore(blocked: Double) {
        for confidence in [0.5, 0.95, 0.9999] {
            var previous = (upper: 2.0, lower: 2.0)
            for passed in counts(upTo: 1e9) {
                let requests = blocked + passed
                let upper = ClopperPearson.upper(blocked: blocked, requests: requests, confidence: confidence)
                let lower = ClopperPearson.lower(blocked: blocked, requests: requests, confidence: confidence)
                #expect(upper <= previous.upper, "\(blocked) in \(requests)")
                #expect(lower <= previous.lower, "\(blocked) in \(requests)")
                previous = (upper, lower)
            }
        }
    }

    @Test func boundsMoveApartAsTheConfidenceRises() {
        for requests in Self.requests {
            for share in [0, 0.003, 0.2, 0.5, 0.97, 1] {
                let blocked = requests * share
                var previous = (upper: 0.0, lower: 1.0)
                for confidence in stride(from: 0.5, to: 0.99995, by: 0.0005) {
                    let upper = ClopperPearson.upper(blocked: blocked, requests: requests, confidence: confidence)
                    let lower = ClopperPearson.lower(blocked: blocked, requests: requests, confidence: confidence)
                    #expect(upper >= previous.upper, "\(blocked) in \(requests) at \(confidence)")
                    #expect(lower <= previous.lower, "\(blocked) in \(requests) at \(confidence)")
                    previous = (upper, lower)
                }
            }
        }
    }

    @Test func passedRequestsHaveTheMirroredBounds() {
        for requests in Self.requests {
            for blocked in counts(upTo: requests) {
                for confidence in [0.5, 0.95, 0.9999] {
                    let upper = ClopperPearson.upper(blocked: blocked, requests: requests, confidence: confidence)
                    let lower = ClopperPearson.lower(
                        blocked: requests - blocked, requests: requests, confidence: confidence)
                    #expect((upper - (1 - lower)).magnitude < 4e-15, "\(blocked) in \(requests)")
                }
            }
        }
    }

    /// The rule's own boundary: at 95% and at most 1%, 298 clean requests are too few and 299 are enough.
    @Test func twoHundredAndNinetyNineCleanRequestsAreEnoughForOnePercent() {
        #expect(ClopperPearson.upper(blocked: 0, requests: 298, confidence: 0.95) > 0.01)
        #expect(ClopperPearson.upper(blocked: 0, requests: 299, confidence: 0.95) <= 0.01)
        #expect(ClopperPearson.upper(blocked: 1, requests: 472, confidence: 0.95) > 0.01)
        #expect(ClopperPearson.upper(blocked: 1, requests: 473, confidence: 0.95) <= 0.01)
    }

    @Test func extremesAreExact() {
        for confidence in [0.5, 0.95, 0.9999] {
            for requests in Self.requests {
                #expect(ClopperPearson.upper(blocked: requests, requests: requests, confidence: confidence) == 1)
                #expect(ClopperPearson.lower(blocked: 0, requests: requests, confidence: confidence) == 0)
            }
            #expect(ClopperPearson.upper(blocked: 0, requests: 0, confidence: confidence) == 1)
            #expect(ClopperPearson.lower(blocked: 0, requests: 0, confidence: confidence) == 0)
        }
    }

    @Test func countsOutsideTheirRangeStop() async {
        await #expect(processExitsWith: .failure) {
            _ = ClopperPearson.upper(blocked: 2, requests: 1, confidence: 0.95)
        }
        await #expect(processExitsWith: .failure) {
            _ = ClopperPearson.lower(blocked: -1, requests: 1, confidence: 0.95)
        }
        await #expect(processExitsWith: .failure) {
            _ = ClopperPearson.upper(blocked: .nan, requests: 1, confidence: 0.95)
        }
        await #expect(processExitsWith: .failure) {
            _ = ClopperPearson.upper(blocked: 0, requests: 1, confidence: 1)
        }
    }

    /// Counts from 0 to `limit`, dense at both ends and around 15, where the method changes.
    private func counts(upTo limit: Double) -> [Double] {
        let near = [0, 0.25, 0.5, 1, 1.5, 2, 3, 10, 13.9, 14, 14.1, 14.9, 15, 15.1, 16, 31, 150, 2000]
        let shares = stride(from: 0.01, through: 1, by: 0.01).map { $0 * limit }
        let all = near + near.map { limit - $0 } + shares + [limit]
        return all.filter { $0 >= 0 && $0 <= limit }.sorted().reduce(into: []) { counts, count in
            // Counts that differ by rounding alone tell nothing about order.
            if count - (counts.last ?? -1) > 1e-9 * limit { counts.append(count) }
        }
    }
}
