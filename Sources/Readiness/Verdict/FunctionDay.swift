import Verifications

/// The counts of a day that the rule looks at.
struct JudgedCounts: Sendable {
    /// Without clients that the policy leaves out, and without valid tokens of programs where these do not count.
    let day: DayTally
    let withMachines: StatusMatrix
    let withAll: StatusMatrix

    init(_ all: DayTally, _ callers: CallerDay?, ignoring ignored: Set<ClientKind>, countsMachines: Bool) {
        var (counts, blocked, signedInBlocked) = (all.counts, all.blocked, all.signedInBlocked)
        withAll = counts
        // Without a row nothing is known of any client.
        if let callers, callers.withRow > 0, !ignored.isEmpty {
            counts.remove(callers) { ignored.contains($0.kind) ? $1 : nil }
            signedInBlocked = callers.signedIn.blockedTimes(without: ignored)
            blocked = callers.signedOut.blockedTimes(without: ignored)
            blocked.merge(signedInBlocked)
        }
        withMachines = counts
        if let callers, !countsMachines {
            counts.remove(callers) { $0.kind.isMachine && !ignored.contains($0.kind) ? $1.verifiedAlone : nil }
        }
        var day = all.withoutRequests
        day.add(counts, blocked, signedInBlocked)
        self.day = day
    }
}

/// One day of a function as the rule sees it, under one meaning of "admitted".
///
/// The counts are real numbers because the forecast fills days to come with fractions of requests; those of a log are
/// whole, and exact up to 2⁵³.
struct FunctionDay: Sendable, DailyCount {
    let day: Day
    /// Bit h is set when hour h had a blocked request.
    private(set) var blockedHours: UInt32 = 0
    /// The severities of passed verifications.
    private(set) var passSeverities: PassSeverity = []
    /// The first verification, in nanoseconds since midnight.
    private(set) var firstNanosecond: Int64 = 0
    private(set) var verifications: Double
    /// Verifications with neither token INVALID.
    private(set) var passed: Double
    private(set) var admitted: Double
    private(set) var blocked: Double
    /// Blocked requests by what was wrong; the rest has other statuses.
    private(set) var tokenRefused = 0.0
    private(set) var signedInNoToken = 0.0
    private(set) var anonymousNoToken = 0.0
    /// Admitted requests with Auth VALID.
    private(set) var signedIn: Double
    /// Requests that would be admitted, except for clients that the policy leaves out.
    private(set) var leftOut = 0.0
    /// Requests that would be admitted, except for programs' valid tokens.
    private(set) var machines = 0.0
    /// The newest blocked request, in nanoseconds since midnight.
    private(set) var lastBlocked: Int64?
    /// True with an admitted request, also of a revision that is on while others are not.
    let isActive: Bool

    var requests: Double { admitted }
    /// The first verification.
    var start: Instant { Instant(day: day, nanosecondOfDay: firstNanosecond) }

    /// A day of a log, and the counts that the rule looks at.
    init(_ tally: DayTally, judged: JudgedCounts, of all: JudgedCounts, admission: Admission) {
        let counts = judged.day.counts
        let times = judged.day.blocked(admission)
        isActive = all.day.counts.admitted(admission) > 0
        day = tally.day
        blockedHours = times.hours
        passSeverities = tally.passSeverities
        firstNanosecond = tally.firstNanosecond
        verifications = Double(tally.counts.total)
        passed = Double(tally.counts.passed)
        admitted = Double(counts.admitted(admission))
        machines = Double(judged.withMachines.admitted(admission)) - admitted
        leftOut = Double(judged.withAll.admitted(admission)) - admitted - machines
        blocked = Double(counts.blocked(admission))
        tokenRefused = Double(counts.admitted(admission, app: .invalid))
        signedInNoToken = Double(counts[.missing, .valid])
        anonymousNoToken = admission.admits(auth: .missing) ? Double(counts[.missing, .missing]) : 0
        lastBlocked = times.lastNanosecond
        signedIn = Double(counts.admitted(.signedIn))
    }

    /// A day to come: all of it admitted and passed, no hours of blocked requests.
    init(day: Day, requests: Double, blockedRate: Double) {
        self.day = day
        verifications = requests
        passed = requests
        admitted = requests
        blocked = requests * blockedRate
        signedIn = requests
        isActive = requests > 0
    }
}

extension RandomAccessCollection<FunctionDay> where Index == Int, SubSequence == ArraySlice<FunctionDay> {
    /// The days that fall into a window; they are in order.
    func within(_ window: Window?) -> ArraySlice<FunctionDay> {
        guard let window else { return [] }
        return self[firstIndex(notBefore: window.from)..<firstIndex(notBefore: window.to.advanced(by: 1))]
    }

    private func firstIndex(notBefore day: Day) -> Int {
        partitioningIndex { $0.day < day }
    }
}
