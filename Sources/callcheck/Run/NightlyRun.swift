import Readiness
import Reports
import Verifications

/// Draws up the nightly report on what was read, or on what a store holds.
struct NightlyRun {
    let judge: Judge
    private(set) var report: NightlyReport

    /// - Throws: ``Failure`` with the status of a wrong command line when there is nothing on the day asked for to
    ///   compare to.
    init(_ read: ReadCounts, plan: RunPlan, nights: NightOptions) throws(Failure) {
        judge = Judge(
            tally: read.tally, rules: plan.rules, asOf: plan.asOf, clock: plan.clock, inventory: plan.inventory,
            uncounted: read.uncounted)
        if let day = nights.compareTo, let asOf = judge.asOf?.day {
            guard day < asOf else { throw Failure(status: .usage, message: Messages.comparison(day, notBefore: asOf)) }
        }
        report = NightlyReport(
            judge: judge, input: read.input, selection: plan.selection, inventory: plan.inventory,
            comparedTo: nights.compareTo)
        report.summary.widenedDays = plan.widenedDays
        report.summary.lastDayOfUnknownProvenance = read.lastDayOfUnknownProvenance
        if let day = nights.compareTo, report.comparedTo == nil, let first = report.firstDay {
            throw Failure(status: .usage, message: Messages.comparison(day, before: first))
        }
    }
}
