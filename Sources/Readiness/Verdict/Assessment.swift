package import Verifications

/// The answer for one function, with everything it is based on.
package struct Assessment: Hashable, Sendable {
    package let verdict: Verdict
    /// All reasons that hold: those against enforcement in the order in which they decide, then advice.
    ///
    /// Reasons of lower rows are listed next to the deciding one: an exempt function may well have too many blocked
    /// requests. `no-traffic` is alone, except with `exempt`, even if the verdict comes from an earlier row.
    package let reasons: [Finding]
    package let period: Period
    /// The time in the window since the function was first seen, in days: what numbers "a day" are divided by.
    package let observedDays: Double
    /// Days of the window without a verification of the project that are passed over: of each, nothing else is missing
    /// within two weeks.
    package let passedOver: [Day]
    /// Requests that could not be counted, and that might have been blocked; nil if their number is unknown.
    package let uncounted: Int?
    /// Requests that would be admitted, except for clients that the policy leaves out.
    package let leftOut: Int
    /// Admitted requests of programs, which do not count.
    package let programs: Int
    /// Upper bound of refused requests a week, at the policy's confidence; nil without an observed day.
    package let perWeekUpper: Double?
    /// Age of the function's log in days, rounded, at least 1; 0 when it has no dated verification.
    package let ageDays: Int
    /// The whole rule once more for signed-in callers only.
    package let signedIn: SignedInAssessment
    package let outlook: Outlook
    /// The policy that the counts were compared with.
    package let policy: FunctionPolicy
    /// Whom the rule counts.
    package let counted: CountingRule
    /// For how many days in a row, up to now, nothing was against enforcement; compare `safe-nights`.
    package let safeNights: Int
    /// The first of them; nil when something is against it now.
    package let safeSince: Day?
    /// The state of enforcement, regardless of the verdict.
    package let enforcement: Enforcement
    /// The people it refuses; nil where it is not on, or refuses next to nobody.
    package let lockout: Lockout?
    /// Platforms with a blocked request, and releases, as far as rows show them: most blocked first.
    package let platforms: [PlatformCount]
    /// The platforms and releases that would be refused if they were not accepted, most blocked first.
    package let acceptedRefusals: [PlatformCount]
    /// The platform that would be refused if its last segment were not clean; the one with most blocked requests.
    package let cured: PlatformCount?
    /// The requests that the rule counts, by stretches of constant share; empty without a request.
    package let segments: [Segments.Segment]
    /// Those to whom blocked requests are traced, most persons first.
    package let suspects: [Suspect]
    /// To whom most of it is traced since more is refused than before, or since the switch; nil where neither holds.
    let mainSuspect: Suspect.Unit?
    /// Changes that lead to another answer, as far as a report tries any.
    package var whatIfs: [WhatIf] = []
    /// The entry with the fewest refused requests a week, at most ``WeeklyBound/mostOffered``, for which the rule says
    /// `enforce`; nil if that is not enough, or if time brings the answer.
    package let acceptance: MissingEntry?
    /// The requests and refusals since enforcement was switched on; nil if it is not.
    package let aftermath: Aftermath?
    /// False where the log has neither a row nor a line of the project.
    package let isAboutProject: Bool
    /// Why tokens were refused in the window; nil if none was, or if the input shows nothing of it.
    package let causes: RefusalCauses?
    /// The clients in the window; nil if the input shows nothing of them.
    package let clients: WindowClients?
    /// True where an entry of the policy has expired that would have decided otherwise.
    let hasExpired: Bool
    /// The entry that the policy lacks; nil for a function that is not enforced by the log.
    package let missingEntry: MissingEntry?
    /// The entry that it lacks if enforcement was switched on, of which the log shows too little.
    package let presumedEntry: MissingEntry?
    /// The finding that the log says nothing about today, where enforcement is on and may lock people out.
    package let exportOld: Finding?
    /// True for what words call a service: counts of a metric, not the log of a function.
    package let isOfService: Bool
    /// What says whether enforcement is on, regardless of requests; nil if nothing does.
    package let mode: StatedMode?
}

extension Assessment {
    package var blockedPerDay: Double { observedDays > 0 ? Double(period.blocked) / observedDays : 0 }

    /// As many blocked requests per observed day as the upper bound allows; 0 without one.
    package var blockedPerDayUpper: Double {
        observedDays > 0 ? period.upper * Double(period.admitted) / observedDays : 0
    }

    /// The requests that are admitted: by policy, or because the log shows that nobody signed out is served.
    package var admission: Admission { counted.admission }

    /// True where the log alone shows that nobody signed out is served.
    package var servesNobodySignedOut: Bool { admission != policy.numbers.admission }

    /// True where nothing is left to decide.
    package var isSettled: Bool { [.exempt, .enforced, .superseded].contains(verdict) }

    /// The reasons worth a reader's time, what happens now first: those that another one explains are left out.
    ///
    /// Includes what holds for enforcement regardless of the verdict.
    package var listed: [Finding] {
        let beside = [
            lockout?.finding, cured.map { Finding(code: .platformFixed, value: Double($0.blocked)) }, exportOld,
        ].compactMap(\.self).filter { !reasons.has($0.code) }
        let all =
            beside
            + reasons.filter { reason in
                if case .settled = reason.kind { return true }
                if reason.code == .failingNow || reason.code == .exportOld && verdict == .enforced { return true }
                if isSettled { return enforcement.isOn && reason.display.contains(.afterSwitch) }
                if verdict == .blind { return reason.display.contains(.ofLog) }
                if reason.display.contains(.needsMore) { return outlook != .readOn }
                return !(isLockout && Finding.Code.excess.contains(reason.code))
            }
        return all.byUrgency
    }

    /// To whom most of what is newly refused is traced, or else most of what makes it not safe.
    package var cause: Suspect.Unit? {
        if let mainSuspect { return mainSuspect }
        guard [.wait, .investigate].contains(verdict), let first = suspects.first, first.unit != .unknown,
            2 * first.blocked > period.blocked
        else { return nil }
        return first.unit
    }

    /// The findings that need action now.
    package var urgent: [Finding] { listed.filter { $0.urgency == .act } }

    /// The finding that more is refused than before, up to now.
    package var failing: Finding? { reasons[.failingNow] ?? lockout?.failing }

    /// The day from which on the verdict is `enforce`: it is so since then, or will be if nothing changes.
    ///
    /// Nil where nothing is left to decide, and where no day is known.
    package var readyDay: Day? {
        // The first safe days only confirmed it.
        if verdict == .enforce { return safeSince?.advanced(by: policy.numbers.confirm - 1) }
        if case .date(let day, _) = outlook { return day }
        return nil
    }
}

/// The rule's answer if callers who are not signed in are left out, as with `requires-auth`.
package struct SignedInAssessment: Hashable, Sendable {
    package let verdict: Verdict
    package let period: Period
}

/// When the verdict becomes `enforce` if nothing changes.
package enum Outlook: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// The blocked rate stays what it was on the last three days.
        case steady
        /// The blocked rate goes on falling as it has.
        case trend
    }

    /// The days that are lacking may be in the part of the log that a pull has left out.
    case readOn
    /// Time alone cannot turn the verdict into `enforce`.
    case notAsked
    /// The first day at whose end the rule says `enforce`.
    case date(Day, Kind)
    /// No request was admitted in the last seven days: there is nothing to fill the coming days with.
    case noRequests
    /// Neither kind gives a date within 60 days; how far the rate has come down, where it is falling.
    case noDate(Fall?)

    /// A blocked rate that has fallen significantly over the last two weeks.
    package struct Fall: Hashable, Sendable {
        /// Share in the first of the two weeks.
        package let from: Double
        /// Share in the last three days.
        package let to: Double
    }
}

/// The answer for one function, to the question whether App Check enforcement may be switched on.
package enum Verdict: String, CaseIterable, Codable, Sendable {
    /// Safe.
    case enforce
    /// Not safe: too many requests without a valid token.
    case wait
    /// Not safe, and most of what would be blocked carries a refused token.
    case investigate
    /// Not enough data.
    case insufficient
    /// An incomplete log: it lacks passed requests.
    case blind
    case exempt
    /// Enforced already, by policy or by what the log shows.
    case enforced
    /// A generation 1 function whose generation 2 successor has taken over its traffic.
    case superseded
}

extension Verdict {
    /// The verdict of the first finding; findings are listed in the order in which they decide.
    ///
    /// Only `wait` and `investigate` share their reasons: the latter is marked by `mostly-invalid`.
    init(findings: [Finding]) {
        switch findings.first?.kind {
        case nil, .safe, .advice: self = .enforce
        case .settled(let verdict): self = verdict
        case .blind: self = .blind
        case .silence, .doubt, .incomplete: self = .insufficient
        case .against: self = findings.has(.mostlyInvalid) ? .investigate : .wait
        }
    }
}
