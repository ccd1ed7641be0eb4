import TestSupport
import Testing
import Verifications

@testable import Readiness

/// Services report counts, and are judged by the one rule.
@Suite struct ServiceTests {
    private static let web = "1:123456789012:web:00aa"

    /// Counts by the hour of one project, up to the end of 14 October 2026 and six hours more.
    private struct Metric {
        var counts = ServiceCounts()

        init() { add(1, "VALID", "probe.googleapis.com", day: 1, hour: 5) }

        /// Day 0 is 14 October.
        mutating func add(
            _ requests: Int, _ security: String, _ service: String = "firestore.googleapis.com",
            _ result: String = "ALLOW", app: String = ServiceTests.web, day: Int, hour: Int
        ) {
            let start = Instant(day: ReadinessTests.day("2026-10-14").advanced(by: day), nanosecondOfDay: 0)
                .adding(seconds: Int64(hour) * 3600)
            counts.add(
                [start..<start.adding(seconds: 3600): requests],
                of: ServiceCounts.Series(
                    project: "demo", service: service, security: security, result: result,
                    app: security == "VALID" ? app : "UNKNOWN"))
        }

        mutating func add(mode: String, of service: String = "firestore.googleapis.com", _ updated: String? = nil) {
            counts.add(
                ServiceCounts.Mode(
                    project: "123456789012", service: service, mode: mode, updated: updated.map { instant($0) }))
        }

        func evaluator(
            _ rules: PolicyRules = PolicyRules(), asOf: Instant? = nil, since: Instant? = nil
        ) throws -> Evaluator {
            try #require(counts.evaluators(rules, asOf: asOf, clock: nil, range: TimeRange(since: since)).first)
        }

        func assess(
            _ service: String = "firestore.googleapis.com", _ rules: PolicyRules = PolicyRules(), since: Instant? = nil
        ) throws -> Assessment {
            try evaluator(rules, since: since).assess(FunctionIdentity(service: service, project: "demo"))
        }
    }

    /// 35 days of 200 requests at 10:00 and as many at 11:00.
    private func metric(
        _ service: String = "firestore.googleapis.com", _ more: (inout Metric) -> Void = { _ in }
    ) -> Metric {
        var metric = Metric()
        for day in -34...0 {
            for hour in [10, 11] { metric.add(200, "VALID", service, day: day, hour: hour) }
        }
        more(&metric)
        return metric
    }

    /// An app whose verified requests fell while more was refused is named; not where all fell, or the only one.
    @Test(arguments: [(30, 200, true), (30, 90, false), (120, 200, false)])
    func theAppThatFell(left: Int, ofOthers: Int, isNamed: Bool) throws {
        var metric = Metric()
        let ios = "1:123456789012:ios:00bb"
        for day in -34...0 {
            for hour in [10, 11] {
                let isBad = day >= -1
                metric.add(isBad ? ofOthers : 200, "VALID", day: day, hour: hour)
                metric.add(isBad ? left : 200, "VALID", app: ios, day: day, hour: hour)
                if isBad { metric.add(200 - left, "INVALID", day: day, hour: hour) }
            }
        }
        let assessment = try metric.assess()
        let found = assessment.listed[.appFell]
        #expect(found?.names == (isNamed ? [ios] : nil))
        if isNamed { #expect(found?.value == 0.85 && found?.instant == instant("2026-10-13T10:00:00Z")) }
    }

    @Test func asOfTheNewestWholeHourSixHoursBeforeTheLast() throws {
        let metric = metric { $0.add(7, "INVALID", day: 1, hour: 0) }
        #expect(try metric.evaluator().asOf == instant("2026-10-14T23:59:59.999999999Z"))
        let assessment = try metric.assess()
        #expect(assessment.verdict == .enforce)
        #expect(assessment.period.admitted == 7 * 400)
        #expect(assessment.period.blocked == 0)
        #expect(assessment.reasons.contains { $0.code == .failuresUnproven })
    }

    /// Within an hour no part of it is known: what ended before is judged.
    @Test func asOfWithinAnHour() throws {
        let metric = metric { metric in
            for hour in 10...11 { metric.add(50, "INVALID", "firestore.googleapis.com", "DENY", day: 0, hour: hour) }
        }
        let evaluator = try metric.evaluator(asOf: instant("2026-10-14T12:20:00Z"))
        #expect(evaluator.asOf == instant("2026-10-14T11:59:59.999999999Z"))
        let assessment = evaluator.assess(FunctionIdentity(service: "firestore.googleapis.com", project: "demo"))
        #expect(assessment.lockout?.lastHour == Lockout.Count(requests: 250, refused: 50))
    }

    @Test func whatEachStatusMeans() throws {
        let metric = metric {
            $0.add(3, "INVALID", day: 0, hour: 10)
            $0.add(5, "MISSING_OUTDATED_CLIENT", day: 0, hour: 10)
            $0.add(7, "MISSING_UNKNOWN_ORIGIN", day: 0, hour: 10)
            $0.add(11, "CONSUMED", day: 0, hour: 10)
            $0.add(13, "A_NEW_WORD", day: 0, hour: 10)
            $0.add(17, "VALID", "firestore.googleapis.com", "DENY", day: 0, hour: 10)
            $0.add(19, "CONSUMED", "firestore.googleapis.com", "DENY", day: 0, hour: 10)
        }
        let evaluator = try metric.evaluator()
        let tally = try #require(
            evaluator.tally.functions[FunctionIdentity(service: "firestore.googleapis.com", project: "demo")])
        let counts = tally.days().last.map(\.statuses) ?? StatusMatrix()
        #expect(counts[.valid, .valid] == 400 + 11)
        #expect(counts[.invalid, .valid] == 3)
        #expect(counts[.missing, .valid] == 5)
        #expect(counts[.missing, .missing] == 7)
        #expect(counts[.other, .valid] == 13 + 17 + 19)
        #expect(counts.total == 400 + 3 + 5 + 7 + 11 + 13 + 17 + 19)
    }

    @Test func unknownOriginHasATwinButNotForFiles() throws {
        for (service, isReady) in [("firestore.googleapis.com", true), ("firebasestorage.googleapis.com", false)] {
            let metric = metric(service) { metric in
                for day in -34...0 { metric.add(100, "MISSING_UNKNOWN_ORIGIN", service, day: day, hour: 10) }
            }
            let assessment = try metric.assess(service)
            #expect(assessment.verdict == .wait)
            #expect((assessment.signedIn.verdict == .enforce) == isReady)
            #expect(assessment.reasons.contains { $0.code == .anonymousOnly } == isReady)
        }
    }

    @Test func deniedRequestsShowTheSwitchAndALockout() throws {
        let metric = metric { metric in
            for day in -34...0 {
                for hour in 0..<24 {
                    metric.add(
                        8, "INVALID", "firestore.googleapis.com", day < -3 || day == -3 && hour < 11 ? "ALLOW" : "DENY",
                        day: day, hour: hour)
                }
            }
        }
        let assessment = try metric.assess()
        #expect(assessment.verdict == .enforced)
        #expect(assessment.enforcement.source == .log)
        #expect(assessment.enforcement.start == instant("2026-10-11T11:00:00Z"))
        #expect(assessment.enforcement.refused == (13 + 3 * 24) * 8)
        #expect(assessment.enforcement.served == 0)
        let lockout = try #require(assessment.lockout)
        #expect(lockout.refused == (13 + 3 * 24) * 8)
        #expect(lockout.requests == lockout.refused + 200 + 3 * 400)
    }

    /// `--since` hides neither the switch nor who has been refused since then, though it selects what else is counted.
    @Test(arguments: [-20...(-15), -5...0])
    func sinceHidesNoSwitch(denied: ClosedRange<Int>) throws {
        let metric = metric { metric in
            metric.add(3, "INVALID", day: denied.lowerBound - 1, hour: 10)
            for day in denied {
                for hour in [10, 11] {
                    metric.add(40, "INVALID", "firestore.googleapis.com", "DENY", day: day, hour: hour)
                }
            }
        }
        let since = Instant(day: ReadinessTests.day("2026-10-11"), nanosecondOfDay: 0)
        let (all, some) = (try metric.assess(), try metric.assess(since: since))
        #expect(all.verdict == .enforced && some.verdict == .enforced)
        #expect(some.enforcement == all.enforcement)
        #expect(some.lockout == all.lockout)
        #expect((all.lockout != nil) == (denied.upperBound == 0))
        #expect(some.period.admitted == 4 * 400 + (denied.upperBound == 0 ? 4 * 80 : 0))
    }

    /// Too few denied requests to show a switch are told.
    @Test func fewDeniedRequestsAreTold() throws {
        let metric = metric { metric in
            for hour in [10, 11] { metric.add(1, "INVALID", "firestore.googleapis.com", "DENY", day: 0, hour: hour) }
        }
        let assessment = try metric.assess()
        #expect(assessment.enforcement.state == .unknown)
        #expect(
            assessment.enforcement.recent == Enforcement.Recent(refused: 2, first: instant("2026-10-14T10:00:00Z")))
    }

    /// Hours without a sign break no run, whether they are empty or have valid requests alone; served ones do.
    @Test(arguments: [
        (nil, "2026-10-14T08:00:00Z"), ("VALID", "2026-10-14T08:00:00Z"), ("INVALID", "2026-10-14T12:00:00Z"),
    ])
    func hoursBetween(security: String?, start: String) throws {
        let metric = metric { metric in
            metric.add(9, "INVALID", day: -1, hour: 9)
            for hour in [8, 9, 12, 13] {
                metric.add(9, "INVALID", "firestore.googleapis.com", "DENY", day: 0, hour: hour)
            }
            if let security { metric.add(9, security, day: 0, hour: 10) }
        }
        #expect(try metric.assess().enforcement.start == instant(start))
    }

    /// Some tokens are used twice, in hours without others.
    @Test func refusedValidOnesHideNoSwitch() throws {
        let metric = metric { metric in
            metric.add(9, "INVALID", day: -1, hour: 9)
            for security in ["INVALID", "VALID"] {
                metric.add(5, security, "firestore.googleapis.com", "DENY", day: 0, hour: 13)
            }
            metric.add(5, "INVALID", "firestore.googleapis.com", "DENY", day: 0, hour: 12)
        }
        #expect(try metric.assess().enforcement.start == instant("2026-10-14T12:00:00Z"))
    }

    /// 0.5% of all requests, but at three in the morning everybody.
    @Test(arguments: ["ALLOW", "DENY"])
    func hoursOfTheDay(result: String) throws {
        let metric = metric { metric in
            for day in -34...0 { metric.add(3, "INVALID", "firestore.googleapis.com", result, day: day, hour: 3) }
        }
        let assessment = try metric.assess()
        #expect(assessment.verdict == (result == "ALLOW" ? .wait : .enforced))
        let hours =
            result == "ALLOW" ? assessment.reasons.first { $0.code == .hourRefused } : assessment.lockout?.hours
        #expect(hours?.counts == [3])
        #expect((assessment.lockout != nil) == (result == "DENY"))
    }

    @Test func theModeDecides() throws {
        let denied = metric { metric in
            for hour in [10, 11] { metric.add(8, "INVALID", "firestore.googleapis.com", "DENY", day: 0, hour: hour) }
        }
        var (on, off, rolledBack) = (metric(), denied, denied)
        on.add(mode: "ENFORCED", "2026-10-10T08:00:00Z")
        off.add(mode: "UNENFORCED", "2026-10-01T08:00:00Z")
        rolledBack.add(mode: "UNENFORCED", "2026-10-14T12:30:00Z")
        let assessment = try on.assess()
        #expect(assessment.verdict == .enforced)
        #expect(assessment.enforcement.source == .mode)
        #expect(assessment.enforcement.start == instant("2026-10-10T08:00:00Z"))
        let contradicted = try off.assess()
        #expect(contradicted.enforcement.state == .off)
        #expect(contradicted.verdict != .enforce)
        #expect(contradicted.reasons.contains { $0.code == .policyContradicted })
        let past = try rolledBack.assess().enforcement
        #expect(past.state == .off && !past.isContradicted)
        #expect(past.past?.from == instant("2026-10-14T10:00:00Z"))
        #expect(past.past?.refused == 16)
    }

    /// What was served before the change, in its hour, contradicts no mode.
    @Test(arguments: [("2026-10-14T09:50:00Z", false), ("2026-10-14T09:00:00Z", true)])
    func theHourOfTheChange(time: String, isContradicted: Bool) throws {
        var metric = metric { metric in
            metric.add(9, "INVALID", day: 0, hour: 9)
            for hour in 10...15 { metric.add(1, "INVALID", "firestore.googleapis.com", "DENY", day: 0, hour: hour) }
        }
        metric.add(mode: "ENFORCED", time)
        let assessment = try metric.assess()
        #expect(assessment.enforcement.start == instant(time))
        #expect(assessment.enforcement.isContradicted == isContradicted)
        #expect((assessment.verdict == .enforced) != isContradicted)
    }

    /// A policy's `enforced` opens no gate where requests without a valid token are let through.
    @Test func whatWasServedContradictsThePolicy() throws {
        let metric = metric { $0.add(4, "INVALID", day: -1, hour: 10) }
        var entry = PolicyEntry(match: Glob("firestore.googleapis.com"), line: 2)
        entry.settings.enforced = .date(ReadinessTests.day("2026-10-01"))
        #expect(try metric.assess().verdict == .enforce)
        let assessment = try metric.assess("firestore.googleapis.com", PolicyRules(entries: [entry]))
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.reasons.map(\.code).first == .policyContradicted)
    }

    @Test func aModeOfAnotherProjectDecidesNothing() throws {
        var metric = metric()
        metric.counts.add(
            ServiceCounts.Mode(project: "999", service: "firestore.googleapis.com", mode: "ENFORCED", updated: nil))
        #expect(try metric.assess().verdict == .enforce)
        #expect(metric.counts.foreignModes == ["999"])
    }

    @Test func aiLogicIsNeverReady() throws {
        var quiet = metric("firebaseml.googleapis.com")
        quiet.add(mode: "UNENFORCED", of: "firebaseml.googleapis.com", "2026-10-01T08:00:00Z")
        #expect(try quiet.assess("firebaseml.googleapis.com").verdict == .enforced)
        let served = metric("firebaseml.googleapis.com") { metric in
            for day in -34...0 { metric.add(3, "INVALID", "firebaseml.googleapis.com", day: day, hour: 10) }
        }
        #expect(try served.assess("firebaseml.googleapis.com").verdict == .insufficient)
    }

    @Test func whatIsNotWholeIsNeverReady() throws {
        var metric = metric()
        metric.counts.incomplete = ["demo"]
        let assessment = try metric.assess()
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.reasons.contains { $0.code == .uncounted })
    }

    @Test func silenceAmongOthersIsStale() throws {
        var metric = metric("firebasedatabase.googleapis.com")
        metric.counts.add(
            ServiceCounts.Mode(
                project: "demo", service: "identitytoolkit.googleapis.com", mode: "UNENFORCED", updated: nil))
        for day in -34...(-2) { metric.add(400, "VALID", day: day, hour: 10) }
        #expect(try metric.assess().reasons.contains { $0.code == .stale })
        #expect(try metric.assess().verdict == .insufficient)
        #expect(try metric.assess("identitytoolkit.googleapis.com").reasons.map(\.code) == [.noTraffic])
    }

    @Test func callersCanBeRequired() throws {
        let metric = metric { $0.add(1, "INVALID", day: 0, hour: 10) }
        var rules = PolicyRules()
        #expect(try metric.assess("firestore.googleapis.com", rules).reasons.contains { $0.code == .appsUnknown })
        rules.numbers.requiresCallers = true
        let assessment = try metric.assess("firestore.googleapis.com", rules)
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.reasons.first?.code == .appsRequired)
        #expect(assessment.reasons.first?.names == [ServiceTests.web])
    }

    /// A policy's `auth` is a function, which must not exempt Authentication.
    @Test func namesOfAService() {
        let service = FunctionIdentity(service: "identitytoolkit.googleapis.com", project: "demo")
        for name in ["auth", "identitytoolkit", "Authentication", "service:*", "service:auth", "identitytoolkit.*"] {
            #expect(Glob(name).matches(service, shownAs: service.serviceName))
        }
        #expect(!Glob("*").matches(service, shownAs: service.serviceName))
        for (name, isCovered) in [("auth", false), ("service:auth", true), ("identitytoolkit.googleapis.com", true)] {
            #expect(Glob(name).covers(service, shownAs: service.serviceName) == isCovered)
        }
        let firestore = FunctionIdentity(service: "firestore.googleapis.com", project: "demo")
        #expect(Glob("Cloud Firestore").covers(firestore, shownAs: firestore.serviceName))
    }

    /// Any split into files and periods gives the same answer, in any order.
    @Test(arguments: 0..<20)
    func splitsChangeNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (minutes, hours) = ([ServiceCounts](repeating: ServiceCounts(), count: 4), ServiceCounts())
        let first = Instant(day: ReadinessTests.day("2026-09-20"), nanosecondOfDay: 0)
        var sums: [ServiceCounts.Series: [Instant: Int]] = [:]
        func pick(_ words: String...) -> String { words[Int.random(in: 0..<words.count, using: &random)] }
        for _ in 0..<300 {
            let series = ServiceCounts.Series(
                project: "demo", service: pick("firestore.googleapis.com", "firebaseml.googleapis.com"),
                security: pick("VALID", "VALID", "INVALID", "CONSUMED", "MISSING_UNKNOWN_ORIGIN"),
                result: pick("ALLOW", "ALLOW", "DENY"), app: pick("UNKNOWN", ServiceTests.web))
            let start = first.adding(seconds: Int64.random(in: 0..<30 * 1440, using: &random) * 60)
            // Each minute of a series is read once.
            guard sums[series, default: [:]][start] == nil else { continue }
            let requests = Int.random(in: 1...90, using: &random)
            sums[series, default: [:]][start] = requests
            for _ in 0...1 {
                minutes[Int.random(in: 0...3, using: &random)].add(
                    [start..<start.adding(seconds: 60): requests], of: series)
            }
        }
        for (series, counts) in sums {
            for (hour, counts) in Dictionary(grouping: counts, by: \.key.hourStart) {
                hours.add(
                    [hour..<hour.adding(seconds: 3600): counts.reduce(0) { $0 + $1.value }], of: series)
            }
        }
        var merged = ServiceCounts()
        for part in minutes.shuffled(using: &random) { merged.merge(part) }
        #expect(merged.overlapping.isEmpty && hours.overlapping.isEmpty)
        let asOf = instant("2026-10-18T11:59:59.999999999Z")
        func assessments(_ counts: ServiceCounts) -> [FunctionIdentity: Assessment] {
            counts.evaluators(PolicyRules(), asOf: asOf, clock: nil, range: TimeRange()).reduce(into: [:]) {
                for identity in $1.tally.functions.keys { $0[identity] = $1.assess(identity) }
            }
        }
        #expect(assessments(merged) == assessments(hours))
        #expect(merged.requests == hours.requests)
    }

    @Test func ofTwoReadsTheLargerCountsAndOtherOverlapsAreNamed() {
        var metric = Metric()
        metric.add(3, "VALID", day: 0, hour: 1)
        metric.add(5, "VALID", day: 0, hour: 1)
        metric.add(4, "VALID", day: 0, hour: 1)
        #expect(metric.counts.requests == 1 + 5)
        #expect(metric.counts.overlapping.isEmpty)
        let midnight = Instant(day: ReadinessTests.day("2026-10-14"), nanosecondOfDay: 0)
        metric.counts.add(
            [midnight..<midnight.adding(seconds: 86_400): 9],
            of: ServiceCounts.Series(
                project: "demo", service: "firestore.googleapis.com", security: "VALID", result: "ALLOW",
                app: ServiceTests.web))
        #expect(metric.counts.overlapping == ["demo"])
    }
}
