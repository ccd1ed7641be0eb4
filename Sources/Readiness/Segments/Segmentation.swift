import Platform

/// The requests that count of one stretch of hours, and those of them that are blocked.
struct HourRun: Hashable, Sendable {
    /// Hours from the first one that is looked at.
    var begin: Int
    /// The beginning of the next one; of the last one, the end of its last hour with a request.
    var end: Int
    var requests: Int
    var blocked: Int

    var share: Double { Double(blocked) / Double(requests) }
}

/// Cuts hourly counts into stretches of constant share.
///
/// The cut has the greatest likelihood of binomial counts, less a penalty for each stretch: the optimal partitioning of
/// Jackson and others (IEEE Signal Processing Letters 12, 2005).
enum Segmentation {
    /// The likelihood that one more stretch must gain, as its logarithm.
    static let penalty = 12.0
    /// The most stretches; the penalty is doubled until there are no more.
    private static let most = 15

    /// n·ln n of small numbers; a short log needs no others, and should not wait for them.
    private static let table = logarithms(0..<2048)
    private static let rest = logarithms(2048..<65_536)

    private static func logarithms(_ numbers: Range<Int>) -> [Double] { numbers.map(computed) }
    private static func computed(_ number: Int) -> Double { number > 0 ? Double(number) * log(Double(number)) : 0 }

    private static func nLogN(_ number: Int) -> Double {
        if number < table.count { return table[number] }
        return number < table.count + rest.count ? rest[number - table.count] : computed(number)
    }

    /// Minus the logarithm of the greatest likelihood of a constant share.
    private static func cost(_ requests: Int, _ blocked: Int) -> Double {
        nLogN(requests) - nLogN(blocked) - nLogN(requests - blocked)
    }

    /// The likelihood that telling two stretches from each other gains, as its logarithm, by φ.
    static func gain(_ left: HourRun, _ right: HourRun, dispersion: Double) -> Double {
        let both = cost(left.requests + right.requests, left.blocked + right.blocked)
        return (both - cost(left.requests, left.blocked) - cost(right.requests, right.blocked)) / dispersion
    }

    /// The stretches of hourly counts, in order; empty without a request.
    ///
    /// The search is exact: a stretch in which no request is blocked, or each is, is never cut. Of cuts that are as
    /// good as each other, the earliest is taken.
    static func cut(_ requests: [Int], _ blocked: [Int], dispersion: Double) -> [HourRun] {
        var runs: [HourRun] = []
        for hour in requests.indices where requests[hour] > 0 {
            let isPure = blocked[hour] == 0 || blocked[hour] == requests[hour]
            if isPure, let last = runs.last,
                blocked[hour] == 0 ? last.blocked == 0 : last.blocked == last.requests
            {
                runs[runs.count - 1].requests += requests[hour]
                runs[runs.count - 1].blocked += blocked[hour]
                runs[runs.count - 1].end = hour + 1
            } else {
                if !runs.isEmpty { runs[runs.count - 1].end = hour }
                runs.append(HourRun(begin: hour, end: hour + 1, requests: requests[hour], blocked: blocked[hour]))
            }
        }
        var penalty = penalty
        while true {
            let cut = partition(runs, dispersion, penalty)
            if cut.count <= most { return cut }
            penalty *= 2
        }
    }

    private static func partition(_ runs: [HourRun], _ dispersion: Double, _ penalty: Double) -> [HourRun] {
        guard runs.count > 1 else { return runs }
        let requests = runs.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.requests) }
        let blocked = runs.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.blocked) }
        var (best, last) = ([0.0], [0])
        for end in 1...runs.count {
            var (least, place) = (Double.infinity, 0)
            for start in 0..<end {
                let own = cost(requests[end] - requests[start], blocked[end] - blocked[start])
                let sum = best[start] + own / dispersion
                if sum < least - 1e-9 { (least, place) = (sum, start) }
            }
            best.append(least + penalty)
            last.append(place)
        }
        var (cut, end) = ([HourRun](), runs.count)
        while end > 0 {
            let start = last[end]
            cut.append(
                HourRun(
                    begin: runs[start].begin, end: runs[end - 1].end, requests: requests[end] - requests[start],
                    blocked: blocked[end] - blocked[start]))
            end = start
        }
        return cut.reversed()
    }
}
