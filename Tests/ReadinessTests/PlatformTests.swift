import TestSupport
import Testing
import Verifications

@testable import Readiness

/// Whole platforms and new releases that would be refused, though they are few of the requests.
@Suite struct PlatformTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .second)

    /// Requests of one client a day, all with a row: those with a valid token, and those without.
    private struct Traffic {
        var client: Client
        var valid = 0
        var missing = 0
        var days = -6...0
        var auth = TokenStatus.valid
        var hour = 0
    }

    private static func web(_ browser: Browser, site: String? = nil, isMobile: Bool = false) -> Client {
        .init(ClientCode(browser: browser, isMobile: isMobile), version: site.map { ClientVersion(app: $0) })
    }

    private static func ios(_ version: String, app: String = "com.example.app") -> Client {
        .init(ClientCode(.ios), version: ClientVersion(app: app, version: version, os: "18"))
    }

    /// A function with 2,000 requests a day from iOS, and with the given traffic of other clients.
    private func assess(
        _ traffic: [Traffic], withoutRow: Int = 0, days: ClosedRange<Int> = -6...0, base: Int = 2000,
        _ change: (inout VerdictPolicy) -> Void = { _ in }
    ) -> Assessment {
        var log = Scenario()
        let ordinary = Traffic(client: PlatformTests.ios("3.0"), valid: base, days: -27...0)
        for traffic in [ordinary] + traffic {
            log.add(
                generation: .second, days: traffic.days,
                .valid(traffic.valid, auth: traffic.auth).by(traffic.client, hour: traffic.hour),
                .missing(traffic.missing, auth: traffic.auth).by(traffic.client, hour: traffic.hour))
        }
        log.add(generation: .second, days: -27...0, .invalid(1, auth: .invalid).by(Client(kind: .ios)))
        if withoutRow > 0 { log.add(generation: .second, days: days, .valid(withoutRow)) }
        change(&log.rules.numbers)
        return log.assess(generation: .second)
    }

    private func names(_ assessment: Assessment, _ code: String) -> [String]? {
        assessment.reasons.first { $0.name == code && !$0.platforms.isEmpty }?.platforms.map(\.name.text)
    }

    /// 23 of 23 requests of a browser are 0.2% of all, which the rule on requests calls safe.
    @Test func aBrowserThatIsRefusedAsAWhole() throws {
        let firefox = Traffic(client: PlatformTests.web(.firefox), missing: 3)
        let chrome = Traffic(client: PlatformTests.web(.chrome), valid: 50)
        let assessment = assess([firefox, chrome])
        #expect(assessment.verdict == .wait)
        #expect(assessment.period.upper < 0.01)
        #expect(names(assessment, "platform-refused") == ["web/firefox"])
        let reason = try assessment.reason("platform-refused")
        // 0.01^(1/21): a bound at 99%.
        #expect(abs((reason.value ?? 0) - 0.803085) < 1e-5)
        #expect(reason.limit == 0.5)
        #expect(assessment.platforms.map(\.name.text) == ["web", "web/firefox"])
    }

    /// What lasts longer than the window began before it.
    @Test func refusedSinceBeforeTheWindow() throws {
        func age(_ days: ClosedRange<Int>, valid: ClosedRange<Int>? = nil) -> Int? {
            let firefox = PlatformTests.web(.firefox)
            let found = assess(
                [Traffic(client: firefox, missing: 3, days: days)]
                    + (valid.map { [Traffic(client: firefox, valid: 3, days: $0)] } ?? []))
            let since = found.platforms.first { $0.name == .browser(.firefox, isMobile: false) }?.since
            return found.period.window.flatMap { window in since?.day.distance(to: window.to) }
        }
        #expect(age(-20...0) == 20)
        #expect(age(-20...0, valid: -27 ... -21) == 20)
        #expect(age(-3...0, valid: -6 ... -4) == 3)
    }

    /// A busy function is judged by a week, in which one visitor a day does not show.
    @Test func fourWeeksAreLookedAt() {
        let firefox = Traffic(client: PlatformTests.web(.firefox), missing: 1, days: -27...0)
        #expect(names(assess([firefox]), "platform-refused") == ["web"])
        #expect(names(assess([firefox]) { $0.maxWindow = 7 }, "platform-refused") == nil)
    }

    /// What was cured or has gone holds nothing up.
    @Test(arguments: [(0, 0, false), (0, 1, true), (1, 1, true), (2, 1, false)])
    func theLastWeek(valid: Int, missing: Int, isRefused: Bool) {
        let firefox = PlatformTests.web(.firefox)
        let found = assess([
            Traffic(client: firefox, missing: 3, days: -20 ... -8),
            Traffic(client: firefox, valid: valid, missing: missing, days: -3 ... -3),
        ])
        #expect((names(found, "platform-refused") != nil) == isRefused)
    }

    /// A website is refused as a whole in browsers of which others pass.
    @Test func aSite() throws {
        let site = "parents.academy.example"
        let refused = Traffic(client: PlatformTests.web(.chrome, site: site), missing: 1, days: -27...0)
        let passing = Traffic(client: PlatformTests.web(.chrome, site: "www.academy.example"), valid: 24, days: -27...0)
        let inApps = Traffic(
            client: .init(ClientCode(.androidWebView), version: ClientVersion(app: site)),
            missing: 1, days: -27...0)
        #expect(names(assess([refused, passing]), "platform-refused") == [site])
        let both = assess([refused, passing, inApps])
        #expect(names(both, "platform-refused") == [site])
        #expect(both.platforms.first?.blocked == 56)
        for accepted in [site, "web"] {
            let name = try #require(PlatformName(accepted))
            #expect(assess([refused, passing]) { $0.acceptedPlatforms = [name] }.verdict == .enforce)
        }
    }

    /// A job or a game that signs in breaks like an app, unless it is nobody's; signed-out ones may be anybody's.
    @Test(arguments: [ClientKind.server, .node, .none, .other, .google, .tool])
    func whatSignsIn(kind: ClientKind) {
        let traffic = Traffic(client: .init(kind: kind), missing: 3)
        let isOwn = kind == .google || kind == .tool
        #expect(names(assess([traffic]), "platform-refused") == (isOwn ? nil : [kind.name]))
        #expect(names(assess([traffic]) { $0.ignoredClients = [kind] }, "platform-refused") == nil)
        let signedOut = Traffic(client: .init(kind: kind), missing: 30, auth: .missing)
        #expect((names(assess([signedOut]), "platform-anonymous") == nil) == !kind.mayHidePeople)
        for kind in [ClientKind.iosSimulator, .webLocal] {
            #expect(names(assess([Traffic(client: .init(kind: kind), missing: 3)]), "platform-refused") == nil)
        }
    }

    /// What is refused no more holds nothing up, and is named.
    @Test func aPlatformThatWasCured() throws {
        let android = Client(kind: .android)
        func assessed(alsoRefused: Int) -> Assessment {
            assess([
                Traffic(client: android, missing: 300, days: -27 ... -3, hour: 12),
                Traffic(client: android, valid: 100, missing: alsoRefused, days: -2...0),
            ])
        }
        let found = assessed(alsoRefused: 0)
        let cured = try #require(found.cured)
        #expect(
            cured.name == .kind(.android) && cured.segments.cleanSince?.day == found.period.window?.to.advanced(by: -2))
        #expect(found.listed.has(.platformFixed) && !found.codes.contains("platform-refused"))
        #expect(assessed(alsoRefused: 60).cured == nil)
    }

    /// Ten blocked are asked about, nine are not.
    @Test(arguments: [(5, -1...0, true), (10, 0...0, true), (9, 0...0, false), (3, -2...0, false), (4, -2...0, true)])
    func enoughOfAPlatform(missing: Int, days: ClosedRange<Int>, isRefused: Bool) {
        let found = assess([Traffic(client: .init(kind: .android), missing: missing, days: days)])
        #expect((names(found, "platform-refused") == ["android"]) == isRefused)
    }

    /// What is not signed in must be more, on more days; and where most requests are signed in, it is only advice.
    @Test func requestsThatAnybodyCanSend() {
        func forged(_ count: Int) -> Traffic {
            Traffic(client: PlatformTests.web(.firefox), missing: count, days: -27...0, auth: .missing)
        }
        let assessment = assess([forged(8)])
        #expect(assessment.verdict == .enforce)
        #expect(names(assessment, "platform-anonymous") == ["web"])
        #expect(names(assess([forged(8)]) { $0.requiresAuth = true }, "platform-anonymous") == nil)
        func anonymous(_ missing: Int, days: ClosedRange<Int>) -> [String]? {
            let few = Traffic(client: PlatformTests.web(.firefox), missing: missing, days: days, auth: .missing)
            return names(assess([few]), "platform-anonymous")
        }
        #expect(anonymous(2, days: -6...0) == nil && anonymous(10, days: -1...0) == nil)
        #expect(anonymous(7, days: -2...0) == ["web"])
    }

    /// A kind or its parts: only those that must be accepted are named.
    @Test func kindsAndTheirParts() {
        func refused(_ traffic: Traffic...) -> [String]? {
            let found = names(assess(traffic), "platform-refused")
            let accepted = assess(traffic) { $0.acceptedPlatforms = (found ?? []).compactMap { PlatformName($0) } }
            #expect(names(accepted, "platform-refused") == nil)
            return found
        }
        let firefox = Traffic(client: PlatformTests.web(.firefox), missing: 8)
        let safari = Traffic(client: PlatformTests.web(.safari), missing: 4)
        #expect(refused(firefox, safari) == ["web"], "no browser passes")
        let chrome = Traffic(client: PlatformTests.web(.chrome), valid: 4)
        #expect(refused(firefox, safari, chrome) == ["web/firefox", "web/safari"])
        // A few refused ones among those that pass are the usual rest.
        let rest = Traffic(client: PlatformTests.web(.chrome), valid: 3, missing: 1)
        #expect(refused(firefox, safari, rest) == ["web/firefox", "web/safari"])
        let most = Traffic(client: PlatformTests.web(.chrome), valid: 1, missing: 20)
        #expect(refused(firefox, safari, most) == ["web"])
        let site = PlatformTests.web(.firefox, site: "www.academy.example")
        let inApps = Client(ClientCode(.androidWebView), version: site.version)
        #expect(
            refused(Traffic(client: site, missing: 4), Traffic(client: inApps, missing: 4)) == ["www.academy.example"])
        let app = Traffic(client: PlatformTests.ios("1.0", app: "com.example.other"), missing: 4)
        #expect(names(assess([app]), "platform-refused") == ["com.example.other"])
    }

    /// Whatever share of rows is there, unless it is another one for valid requests.
    @Test func rowsInPart() {
        let firefox = Traffic(client: PlatformTests.web(.firefox), missing: 3)
        func assess(_ withoutRow: Int, isRequired: Bool = false) -> Assessment {
            self.assess([firefox], withoutRow: withoutRow, days: -27...0) { $0.requiresCallers = isRequired }
        }
        let half = assess(2000)
        #expect(names(half, "platform-refused") == ["web"])
        let less = assess(2001)
        #expect(less.verdict == .enforce && less.codes.contains("platforms-not-seen"))
        #expect(less.platforms.isEmpty)
        #expect(assess(2001, isRequired: true).verdict == .insufficient)
    }

    /// One bundle on many devices; the kind would pass.
    @Test func devices() {
        func client(_ device: Device) -> Client {
            .init(
                ClientCode(.ios, device: device), version: ClientVersion(app: "com.example.app", version: "3", os: "26")
            )
        }
        let found = assess([Traffic(client: client(.iphone), valid: 50), Traffic(client: client(.appleTV), missing: 2)])
        #expect(names(found, "platform-refused") == ["appletv"])
    }

    /// An App Clip and a watch app are named, not extensions as such.
    @Test func extensions() {
        let apps = [("com.example.app.Clip", Device.iphone), ("com.example.app.watchkitapp", .watch)].map {
            app, device in
            Traffic(
                client: .init(ClientCode(.iosExtension, device: device), version: ClientVersion(app: app)), missing: 8)
        }
        #expect(names(assess(apps), "platform-refused") == ["com.example.app.Clip", "com.example.app.watchkitapp"])
    }

    /// A browser passes of which the mobile half is refused, and the other way round.
    @Test func mobileHalves() {
        let desktop = Traffic(client: PlatformTests.web(.firefox), valid: 50)
        let mobile = Traffic(client: PlatformTests.web(.firefox, isMobile: true), missing: 6)
        #expect(names(assess([desktop, mobile]), "platform-refused") == ["web/firefox-mobile"])
        #expect(assess([desktop, mobile]).platforms.map(\.name.text) == ["web", "web/firefox", "web/firefox-mobile"])
        let accepted = PlatformName.browser(.firefox, isMobile: false)
        #expect(names(assess([desktop, mobile]) { $0.acceptedPlatforms = [accepted] }, "platform-refused") == nil)
    }

    /// Forty domains of customers, each with too few requests to tell.
    @Test func smallSites() {
        let sites = (0..<40).map { site in
            Traffic(client: PlatformTests.web(.chrome, site: "\(site).example"), missing: 2, days: 0...0)
        }
        let passing = Traffic(client: PlatformTests.web(.chrome, site: "www.academy.example"), valid: 90)
        let found = assess(sites + [passing])
        #expect(names(found, "platform-refused") == ["small sites"])
        #expect(found.platforms.first { $0.name == .small(.site) }?.blocked == 80)
        #expect(names(assess([sites[0], passing]), "platform-refused") == nil, "one is not asked")
        // A site that is refused by itself, or has twenty requests, is none of them.
        let large = Traffic(client: PlatformTests.web(.chrome, site: "x.example"), missing: 13, days: 0...0)
        #expect(assess(sites + [passing, large]).platforms.first { $0.name == .small(.site) }?.blocked == 80)
        let accepted = assess(sites + [passing]) { $0.acceptedPlatforms = [.app("*.example")] }
        #expect(names(accepted, "platform-refused") == nil)
    }

    /// What there was no room for is asked as one.
    @Test func otherSites() {
        let pooled = PlatformTests.web(.chrome, site: "x.example").pooled
        let passing = Traffic(client: PlatformTests.web(.chrome, site: "www.academy.example"), valid: 90)
        #expect(names(assess([Traffic(client: pooled, missing: 4), passing]), "platform-refused") == ["others"])
    }

    /// Requests of programs hide nobody.
    @Test func programs() {
        let tool = Traffic(client: .init(kind: .tool), valid: 2000, days: -27...0)
        let people = Traffic(client: PlatformTests.web(.chrome), valid: 100, missing: 6, days: -27...0)
        let found = assess([tool, people], base: 0)
        #expect(found.verdict == .wait && found.programs == 21 * 2000 && found.period.admitted == 21 * 106)
        let counted = assess([tool, people], base: 0) { $0.countsMachines = true }
        #expect(counted.verdict == .enforce && counted.programs == 0)
        // Neither do blocked requests of programs count.
        let blocked = Traffic(client: .init(kind: .tool), missing: 2, days: -27...0)
        let own = assess([tool, people, blocked], base: 0)
        #expect(own.period.blocked == found.period.blocked && own.programs == 21 * 2002)
        // Less than a hundredth of all, and less than 300.
        let few = Traffic(client: PlatformTests.web(.chrome), valid: 10, days: -27...0)
        #expect(assess([tool, few], base: 0).programs == 0)
        let more = Traffic(client: PlatformTests.web(.chrome), valid: 11, days: -27...0)
        #expect(assess([tool, more], base: 0).programs == 28 * 2000)
    }

    /// The log shows that nobody signed out is served.
    @Test(arguments: [
        (20, 20, 0, 3, true), (19, 19, 0, 3, false), (20, 20, 0, 2, false), (20, 19, 0, 3, true), (20, 18, 0, 3, false),
        (20, 20, 1, 3, false),
    ])
    func signedOutRequests(requests: Int, answered: Int, served: Int, days: Int, isShown: Bool) {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(300), .invalid(1, auth: .invalid))
        for offset in 1 - days...0 {
            let rest = offset == 0 ? 1 - days : 0
            let (all, known) = (offset == 0 ? requests + rest : 1, offset == 0 ? answered + rest : 1)
            let others = offset == 0 ? served : 0
            let web = Client(kind: .web)
            log.add(
                generation: .second, days: [offset], .valid(all - known, auth: .missing),
                .valid(known - others, auth: .missing).by(web, .unauthenticated),
                .valid(others, auth: .missing).by(web))
        }
        #expect(log.assess(generation: .second).servesNobodySignedOut == isShown)
        log.asOf = Instant(day: log.day(-1), nanosecondOfDay: log.asOf.nanosecondOfDay)
        #expect(!log.assess(generation: .second).servesNobodySignedOut)
    }

    /// Of a release all that is accepted goes, and that never makes a verdict stricter.
    @Test func acceptingIsNeverStricter() {
        let small = [Browser.firefox, .safari].map { Traffic(client: PlatformTests.web($0), missing: 8, days: 0...0) }
        let chrome = Traffic(client: PlatformTests.web(.chrome), valid: 90)
        #expect(names(assess(small + [chrome]), "platform-refused") == ["small browsers"])
        let firefox = small[0]
        #expect(names(assess([firefox, chrome]), "platform-refused") == nil)
        let edge = Traffic(client: PlatformTests.web(.edge), valid: 12, missing: 8, days: 0...0)
        #expect(names(assess([firefox, chrome, edge]), "platform-refused") == nil)
        for accepted in [Browser.chrome, .firefox, .edge] {
            let accepting = assess([firefox, chrome, edge]) {
                $0.acceptedPlatforms = [.browser(accepted, isMobile: false)]
            }
            #expect(names(accepting, "platform-refused") == nil)
        }
        let new = Traffic(client: PlatformTests.ios("3.1.0"), valid: 60, missing: 140, days: -2...0)
        let old = Traffic(client: PlatformTests.ios("2.0"), missing: 6000, days: -2...0)
        #expect(
            names(
                assess([new, old]) { $0.acceptedPlatforms = [.release("com.example.app", version: "2")] },
                "release-refused") == nil)
    }

    @Test(arguments: [
        ("web/firefox", true), ("web", true), ("web/chrome", false), ("android", false), ("com.example.app", false),
    ])
    func acceptedPlatforms(name: String, isAccepted: Bool) throws {
        let firefox = Traffic(client: PlatformTests.web(.firefox), missing: 3)
        let accepted = try #require(PlatformName(name))
        let found = assess([firefox]) { $0.acceptedPlatforms = [accepted] }
        #expect((names(found, "platform-refused") == nil) == isAccepted)
        #expect(found.verdict == (isAccepted ? .enforce : .wait))
    }

    /// What the rule lets pass need not be accepted.
    @Test(arguments: [(8, -6...0, true), (8, 0...0, false), (1, -6...0, false), (8, -20 ... -8, false)])
    func acceptedRefusals(missing: Int, days: ClosedRange<Int>, isRefused: Bool) {
        let firefox = Traffic(client: PlatformTests.web(.firefox), missing: missing, days: days)
        let chrome = Traffic(client: PlatformTests.web(.chrome), valid: 40)
        func accepted(_ name: PlatformName) -> [String] {
            assess([firefox, chrome]) { $0.acceptedPlatforms = [name] }.acceptedRefusals.map(\.name.text)
        }
        #expect(accepted(.browser(.firefox, isMobile: false)) == (isRefused ? ["web/firefox"] : []))
        #expect(accepted(.browser(.chrome, isMobile: false)) == [])
    }

    // MARK: Releases

    /// Where the older versions fail as well it is an outage.
    @Test func olderVersionsFailAsWell() {
        let new = Traffic(client: PlatformTests.ios("3.1.0"), valid: 60, missing: 140, days: -2...0)
        #expect(names(assess([new]), "release-refused") == ["com.example.app@3.1.0"])
        let old = Traffic(client: PlatformTests.ios("2.0"), missing: 6000, days: -2...0)
        #expect(names(assess([new, old]), "release-refused") == nil)
        // On other days they do not matter.
        let before = Traffic(client: PlatformTests.ios("2.0"), missing: 6000, days: -9 ... -4)
        #expect(names(assess([new, before]), "release-refused") == ["com.example.app@3.1.0"])
    }

    /// The lower version must be in use still.
    @Test func aLowerVersionOfTheLastThreeDays() {
        func refused(days: ClosedRange<Int>, version: String = "3.0") -> [String]? {
            let new = Traffic(client: PlatformTests.ios("3.1.0"), valid: 60, missing: 140, days: -2...0)
            let old = Traffic(client: PlatformTests.ios(version), valid: 100, days: days)
            return names(assess([new, old], base: 0), "release-refused")
        }
        #expect(refused(days: -27 ... -3) == nil)
        #expect(refused(days: -27 ... -2) == ["com.example.app@3.1.0"])
        #expect(refused(days: -27...0, version: "") == nil)
    }

    private func release(
        _ version: String, valid: Int = 0, missing: Int, days: ClosedRange<Int> = -2...0, base: Int = 2000,
        _ change: (inout VerdictPolicy) -> Void = { _ in }
    ) -> [String]? {
        let traffic = Traffic(client: PlatformTests.ios(version), valid: valid, missing: missing, days: days)
        return names(assess([traffic], base: base, change), "release-refused")
    }

    @Test func aReleaseThatIsRefused() {
        // 150 of 2,150 a day are 7% of the last three days.
        #expect(release("3.1.0", valid: 70, missing: 80) == ["com.example.app@3.1.0"])
        #expect(release("3.1.0", valid: 80, missing: 70) == nil, "less than half")
        #expect(release("3.1.0", valid: 40, missing: 50) == nil, "90 of 2,090 are less than 5 %")
        #expect(release("2.9", valid: 70, missing: 80) == nil, "an old version is the usual rest")
        #expect(
            release("3.1.0", valid: 210, missing: 240, days: 0...0) == ["com.example.app@3.1.0"], "one day is enough")
        #expect(release("3.1.0", valid: 160, missing: 5) == nil, "15 of 495 are no 10 %")
    }

    @Test func acceptedReleases() {
        for name in ["com.example.app@3.1.0", "com.example.app", "ios"] {
            #expect(
                release("3.1.0", valid: 130, missing: 40) {
                    $0.acceptedPlatforms = [PlatformName(name)].compactMap(\.self)
                }
                    == nil)
        }
        // No older version takes the place of one that is accepted.
        let old = Traffic(client: PlatformTests.ios("3.0.5"), valid: 130, missing: 40)
        let new = Traffic(client: PlatformTests.ios("3.1"), valid: 200)
        let found = assess([old, new]) { $0.acceptedPlatforms = [.release("com.example.app", version: "3.1")] }
        #expect(names(found, "release-refused") == nil)
    }

    /// 3.1 and 3.1.0 are one version.
    @Test func spellingsOfOneRelease() {
        let clients = ["3.1.0", "3.1"].map {
            Traffic(client: PlatformTests.ios($0), valid: 65, missing: 20, days: -2...0)
        }
        #expect(names(assess(clients, base: 0), "release-refused") == nil, "nobody has a lower one")
        let accepted = PlatformName.release("com.example.app", version: "v3.1.0.0")
        #expect(names(assess(clients) { $0.acceptedPlatforms = [accepted] }, "release-refused") == nil)
    }

    @Test(arguments: [
        ("1.9", "1.10"), ("1.0", "1.0.1"), ("9", "10"), ("1.2", "1.2.1"), ("2.a", "2.1"), ("1.007", "1.8"),
        ("99999999999999999999998.0", "99999999999999999999999"), ("", "0.1"), ("1.0b2", "1.0b10"), ("v9", "v10"),
        ("2.0.0-beta", "2.0.0"), ("1.0b2", "1.0"), ("1.0-alpha", "1.0-beta"), ("1.0b", "1.0.1"), ("1b", "1.0b"),
    ])
    func orderOfReleases(older: String, newer: String) {
        #expect(ReleaseNumber(older) < ReleaseNumber(newer))
        #expect(!(ReleaseNumber(newer) < ReleaseNumber(older)))
    }

    @Test(arguments: [("3.1", "3.1.0"), ("v3", "3"), ("1.0b2", "1-0-b-2"), ("", "0.0"), ("1.01", "1.1")])
    func equalReleases(one: String, other: String) { #expect(ReleaseNumber(one) == ReleaseNumber(other)) }

    // MARK: Callers

    @Test func callersThatAreNotKnown() throws {
        func assess(withRow: Int, valid: Int = 2000, _ change: (inout VerdictPolicy) -> Void = { _ in }) -> Assessment {
            var log = Scenario()
            let phone = Client(kind: .ios)
            log.add(
                generation: .second, days: -6...0, .valid(valid).by(phone), .valid(2000 - valid),
                .missing(withRow).by(phone), .missing(7 - withRow), .invalid(1, auth: .invalid))
            change(&log.rules.numbers)
            return log.assess(generation: .second)
        }
        #expect(assess(withRow: 6).verdict == .enforce && assess(withRow: 6).codes.contains("callers-unknown"))
        #expect(assess(withRow: 7, valid: 1890).codes.contains("callers-unknown"), "1,897 of 2,007 are less than 95 %")
        #expect(!assess(withRow: 7, valid: 1900).codes.contains("callers-unknown"))
        let required = assess(withRow: 3) { $0.requiresCallers = true }
        #expect(required.verdict == .insufficient && required.outlook == .noDate(nil))
        #expect(try required.reason("callers-unknown").kind == .doubt)
        #expect(assess(withRow: 4) { $0.requiresCallers = true }.verdict == .enforce)
        #expect(assess(withRow: 5, valid: 990) { $0.requiresCallers = true }.verdict == .insufficient)
    }

    // MARK: Names

    @Test(arguments: [
        "ios", "iosExtension", "macos", "android", "androidWebView", "web", "tool", "web/firefox", "web/other",
        "web/firefox-mobile", "web/google-app", "iphone", "appletv", "CFNetwork", "dart", "*.web.app",
        "com.example.app", "com.example.app@3.1.0", "com.example.a_b@v2.0-rc_1+7", "app:Example", "app:Example@2",
        "www?.example.com",
    ])
    func namesAreReadAsTheyAreWritten(text: String) { #expect(PlatformName(text)?.text == text) }

    @Test(arguments: [
        "", "firefox", "web/netscape", "web/-mobile", "small sites", "others", "ipod", "iosSimulator", "webLocal",
        "app:", "com.example.app@", "@1.0", "Web", "com.example.app@1@2", "com.example.app@1 2", "com.example.app@*",
        "*.web.app@1", "app:a@1@2", "app:@1", "https://www.example.com", "www.example.com:8080", "com.example.app, web",
    ])
    func whatIsNoName(text: String) { #expect(PlatformName(text) == nil) }
}
