import Verifications

/// One day of a function as the rule sees it, under one meaning of "admitted".
///
/// The counts are real numbers because the forecast fills days to come with fractions of requests; those of a log are
/// whole, and exact up to 2⁵³.
struct DayEvidence: Sendable {
    let day: Day
    var verifications: Double
    /// Verifications with neither token INVALID.
    var passed: Double
    var admitted: Double
    var blocked: Double
    /// Blocked requests by what was wrong; the rest has other statuses.
    var tokenRefused = 0.0
    var signedInNoToken = 0.0
    var anonymousNoToken = 0.0
    /// Different hours with a blocked request.
    var blockedHours = 0
    /// The newest blocked request, in nanoseconds since midnight.
    var lastBlocked: Int64?

    init(_ tally: DayTally, admission: Admission) {
        let counts = tally.counts
        let times = admission == .signedIn ? tally.signedInBlocked : tally.blocked
        day = tally.day
        verifications = Double(counts.total)
        passed = Double(counts.passed)
        admitted = Double(counts.admitted(admission))
        blocked = Double(counts.blocked(admission))
        tokenRefused = Double(counts.admitted(admission, app: .invalid))
        signedInNoToken = Double(counts[.missing, .valid])
        anonymousNoToken = admission.admits(auth: .missing) ? Double(counts[.missing, .missing]) : 0
        blockedHours = times.hourCount
        lastBlocked = times.lastNanosecond
    }

    /// A day to come: all of it admitted and passed, no hours of blocked requests.
    init(day: Day, requests: Double, blockedRate: Double) {
        self.day = day
        verifications = requests
        passed = requests
        admitted = requests
        blocked = requests * blockedRate
    }
}

extension [DayEvidence] {
    /// The days that fall into a window; the array is in the order of days.
    func within(_ window: Window?) -> ArraySlice<DayEvidence> {
        guard let window else { return [] }
        return self[firstIndex(notBefore: window.from)..<firstIndex(notBefore: window.to.advanced(by: 1))]
    }

    private func firstIndex(notBefore day: Day) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle].day < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
