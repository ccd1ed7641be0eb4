import Readiness
import Verifications

extension CSVColumn {
    /// The verdict of a function, with the numbers it rests on.
    static let readiness: [CSVColumn] =
        [
            column("verdict") { .word($0.verdict.rawValue) },
            column("window.from") { CSVCell($0.evidence.window?.from.description) },
            column("window.to") { CSVCell($0.evidence.window?.to.description) },
        ] + rate("", \.evidence) + [
            column("blockedPerDay") { .decimal($0.evidence.blockedPerDay) },
            column("blockedPerDayUpper") { .decimal($0.evidence.blockedPerDayUpper) },
            column("dispersion") { .decimal($0.evidence.dispersion) },
            column("activeDays") { .number($0.evidence.activeDays) },
            column("ageDays") { .number($0.ageDays) },
            column("signedInNoToken") { .number($0.evidence.signedInNoToken) },
            column("anonymousNoToken") { .number($0.evidence.anonymousNoToken) },
            column("tokenRefused") { .number($0.evidence.tokenRefused) },
            column("lastBlocked") { CSVCell($0.evidence.lastBlocked?.description) },
            column("cleanStreak") { .number($0.evidence.cleanStreak) },
            column("observedDays") { .number($0.evidence.observedDays) },
            column("uncounted") { .number($0.evidence.uncounted) },
            column("safeNights") { .number($0.safeNights) },
            column("safeSince") { CSVCell($0.safeSince?.description) },
            column("signedIn.verdict") { .word($0.signedIn.verdict.rawValue) },
        ] + rate("signedIn.", \.signedIn.evidence) + [
            column("reasons.code") { .word($0.reasons.map(\.code).joined(separator: " ")) },
            column("forecast.date") { CSVCell($0.forecast?.day.description) },
            column("forecast.kind") { CSVCell($0.forecast?.kind.rawValue) },
        ]

    private static func rate(_ prefix: String, _ part: @escaping @Sendable (Assessment) -> Evidence) -> [CSVColumn] {
        [
            column("\(prefix)admitted") { .number(part($0).admitted) },
            column("\(prefix)blocked") { .number(part($0).blocked) },
            column("\(prefix)blockedRate") { CSVCell(part($0).blockedRate) },
            column("\(prefix)blockedRateUpper") { .decimal(part($0).blockedRateUpper) },
            column("\(prefix)blockedRateLower") { .decimal(part($0).blockedRateLower) },
        ]
    }

    private static func column(_ name: String, cell: @escaping @Sendable (Assessment) -> CSVCell) -> CSVColumn {
        CSVColumn(name: "readiness.\(name)") { cell($0.function.assessment) }
    }
}

extension Assessment {
    fileprivate var forecast: (day: Day, kind: Outlook.Kind)? {
        guard case .date(let day, let kind) = outlook else { return nil }
        return (day, kind)
    }
}
