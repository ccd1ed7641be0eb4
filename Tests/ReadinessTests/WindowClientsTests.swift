import Readiness
import TestSupport
import Testing
import Verifications

/// Who called, and why tokens were refused, over a function's window.
@Suite struct WindowClientsTests {
    @Test func nothingReadIsNull() {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(290), .invalid(10))
        let without = log.assess(generation: .second)
        #expect(without.causes == nil && without.clients == nil && !without.isAboutProject)
        log.readEvidence()
        let found = log.assess(generation: .second)
        #expect(found.causes?[.unexplained] == 70 && found.clients == nil && !found.isAboutProject)
    }

    @Test func causesAddUp() {
        var log = Scenario()
        log.add(
            generation: .second, days: -27...0, .valid(290), .invalid(3, auth: .invalid), .invalid(3).refused(.expired))
        log.add(generation: .second, days: -27 ... -4, .invalid(2).refused(.placeholder), .invalid(5))
        log.add(generation: .second, days: -3...0, .invalid(6).refused(.placeholder), .invalid(1))
        let found = log.assess(generation: .second)
        #expect(found.causes?.counts == [3 * 2 + 4 * 6, 21, 0, 0, 0, 0, 0, 0, 3 * 5 + 4])
        #expect(found.causes?.since == log.day(-3))
        #expect(found.isAboutProject && found.clients == nil)
    }

    /// The run of days goes back beyond the window, to the first day of the stretch at most.
    @Test func causesBeganBeforeTheWindow() {
        func log(unexplained day: Int? = nil) -> Scenario {
            var log = Scenario()
            log.add(generation: .second, days: -27...0, .valid(290))
            log.add(generation: .second, days: -40 ... -38, .invalid(10))
            for offset in -17...0 {
                let known = offset == day ? 1 : 9
                log.add(
                    generation: .second, days: [offset], .invalid(known).refused(.placeholder), .invalid(10 - known))
            }
            return log
        }
        #expect(log().assess(generation: .second).causes?.since == log().day(-17))
        let causes = log(unexplained: -12).assess(generation: .second).causes
        #expect(causes?.since == log().day(-11))
        #expect(causes?.counts.reduce(0, +) == 70)
        var old = Scenario()
        old.add(generation: .second, days: -27...0, .valid(300), .invalid(10))
        old.add(generation: .second, days: -40 ... -38, .invalid(10))
        old.readEvidence()
        #expect(old.assess(generation: .second).causes?.since == old.day(-27))
    }

    /// What lies before the stretch is of another log, callers included.
    @Test func callersAreThoseOfTheStretch() {
        var log = Scenario()
        let phone = Client(kind: .ios)
        log.add(generation: .second, days: [-6], .valid(3).by(phone), .valid(2), .invalid(1).refused(.expired))
        log.add(generation: .second, days: -1...0, .valid(3).by(phone), .invalid(1).refused(.expired))
        let found = log.assess(generation: .second)
        #expect(found.clients?.requests == 8)
        #expect(found.clients?.callers.sum().admitted == 6)
        #expect(found.causes?[.expired] == 2 && found.causes?.counts.reduce(0, +) == 2)
    }

    @Test func clientsAndCategories() {
        var log = Scenario()
        let app = Client(ClientCode(.ios), version: ClientVersion(app: "com.example", version: "1.2", os: "17"))
        log.add(
            generation: .second, days: -27...0, .valid(300).by(app, address: 1),
            .missing(18).by(app, .failure, address: 2), .missing(2).by(Client(kind: .none), address: 3),
            .missing(4, auth: .missing).by(Client(kind: .tool), address: 4))
        let clients = log.assess(generation: .second).clients
        #expect(clients?.requests == 318 * 7 && clients?.blocked == 18 * 7, "programs do not count")
        #expect(clients?.callers.sum().admitted == 318 * 7 && clients?.callers.sum().blocked == 18 * 7)
        #expect(clients?.alreadyFailing == 18 * 7 && clients?.blockedAddresses == 1)
        #expect(clients.map { $0.categories == (2100, 126, 0, 0) } == true)
        #expect(clients?.callers.sums { $0.kind }.map(\.key) == [.ios])
        log.rules.numbers.countsMachines = true
        let counted = log.assess(generation: .second).clients
        #expect(counted?.requests == 324 * 7 && counted?.blocked == 24 * 7 && counted?.blockedAddresses == 3)
        #expect(counted.map { $0.categories == (2100, 126, 42, 0) } == true)
        #expect(counted?.callers.sums { $0.kind }.map(\.key) == [.ios, .tool, .none])
        #expect(clients?.callers.versions.map(\.value.blocked) == [126])
        log.rules.numbers.requiresAuth = true
        let signedIn = log.assess(generation: .second).clients
        #expect(signedIn?.requests == 320 * 7 && signedIn?.callers.sum().admitted == 320 * 7)
        #expect(signedIn?.blockedAddresses == 2)
        log.rules.numbers.ignoredClients = [.none]
        #expect(log.assess(generation: .second).clients?.blockedAddresses == 1)
    }

    /// Rows that show no address tell nothing of their number.
    @Test func addressesThatAreNotKnown() {
        var log = Scenario()
        log.add(
            generation: .second, days: -6...0, .valid(300).by(Client(kind: .ios)), .missing(9).by(Client(kind: .ios)))
        #expect(log.assess(generation: .second).clients != nil)
        #expect(log.assess(generation: .second).clients?.blockedAddresses == nil)
    }
}
