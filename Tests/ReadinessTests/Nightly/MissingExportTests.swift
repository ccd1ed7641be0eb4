import Readiness
import Testing
import Verifications

/// Parts of the log that did not arrive, and the verdicts that hang on them.
@Suite struct MissingExportTests {
    private func missing(_ report: NightlyReport) -> [MissingExport] {
        report.changes.compactMap { if case .missingExport(let missing) = $0 { missing } else { nil } }
    }

    /// A day without an export has no report; the hole shows the night after, together with what it costs.
    @Test func aHole() throws {
        var log = Scenario()
        for name in ["f", "g"] { log.add(name, days: (-20...0).filter { $0 != -1 && $0 != -9 }, .valid(300)) }
        let report = log.report(comparedTo: -2)
        let hole = try #require(missing(report).first)
        #expect(report.told == ["coverage-gap demo"])
        #expect(hole.kind == .days([log.day(-1)]))
        #expect(hole.verdicts.map(\.function.name) == ["f", "g"])
        #expect(missing(log.report()).map(\.kind) == [.days([log.day(-1)])])

        for name in ["f", "g"] { log.add(name, days: 1...1, .valid(300)) }
        log.asOf = instant("2026-10-15T23:59:59Z")
        #expect(log.report().told == [])
    }

    @Test func anOldExport() throws {
        var log = Scenario()
        log.add("f", days: -20...0, .valid(300))
        log.clock = instant("2026-10-16T15:00:00Z")
        let old = try #require(missing(log.report()).first)
        guard case .everything(let newest, let hours) = old.kind else { throw Unexpected(log.report().told) }
        #expect(newest == instant("2026-10-14T00:00:00Z"))
        #expect(hours == 63)
        #expect(old.verdicts.map(\.function.name) == ["f"])
        #expect(log.report().told == ["export-old demo"])
    }

    @Test func theFailuresStop() throws {
        var log = Scenario()
        log.add("f", generation: .second, days: -20 ... -3, .valid(1000), .invalid(4))
        log.add("f", generation: .second, days: -2...0, .valid(1000))
        #expect(log.report(comparedTo: -2).told == ["failures-stopped demo"])
        let stopped = try #require(missing(log.report(comparedTo: -2)).first)
        guard case .failures(.second, let days, let perDay) = stopped.kind else { throw Unexpected([]) }
        #expect((days.rounded(), perDay) == (3, 4))
        #expect(stopped.verdicts.map(\.function.name) == ["f"])
        // Told once.
        log.add("f", generation: .second, days: 1...1, .valid(1000))
        log.asOf = instant("2026-10-15T23:59:59Z")
        #expect(log.report().told == [])
    }

    @Test func thePassesStop() throws {
        var log = Scenario()
        for name in ["f", "g"] {
            log.add(name, days: -20 ... -1, .valid(300), .invalid(2))
            log.add(name, days: 0...0, .invalid(20))
        }
        let blind = try #require(missing(log.report()).first)
        #expect(log.report().told == ["passes-not-seen demo"])
        #expect(blind.kind == .passes)
        #expect(blind.verdicts.map(\.function.name) == ["f", "g"])
    }

    @Test func assumeCompleteSaysNothingIsMissing() {
        var log = Scenario()
        log.rules.numbers.assumeComplete = .everything
        log.add("f", generation: .second, days: -20 ... -5, .valid(1000), .invalid(4))
        log.add("f", generation: .second, days: [-2, 0], .valid(1000))
        for offset in -5 ... -1 { #expect(missing(log.report(comparedTo: offset)).isEmpty) }
    }

    /// Sundays without a request are usual after two of them.
    @Test func usualPausesAreNoHoles() {
        var log = Scenario(asOf: "2026-10-19T23:59:59Z")  // a Monday
        log.add("f", days: (-26...0).filter { log.day($0).weekday != 6 }, .valid(300))
        for offset in -3 ... -1 { #expect(log.report(comparedTo: offset).told == []) }
    }
}
