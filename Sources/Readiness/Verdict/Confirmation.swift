import Verifications

extension Rule {
    /// For how many days in a row, up to T, no reason against enforcement has held; of a rule that is safe now.
    ///
    /// Looking every night until the answer pleases multiplies the chance of a lucky week; so several answers in a row
    /// are required, each as if nothing after it were known. The run ends at the latest with the function's first days,
    /// which have too few active ones.
    var safeNights: Int {
        guard let today = asOf?.day else { return 0 }
        var nights = 1
        while Rule(input, asOf: Instant(endOf: today.advanced(by: -nights)), now: self).isSafe { nights += 1 }
        return nights
    }
}

extension Instant {
    /// The last second of a day: nights and days to come are judged as of it.
    init(endOf day: Day) {
        self.init(day: day, nanosecondOfDay: 86_399_000_000_000)
    }
}
