import TestSupport
import Testing
import Verifications

@testable import Entries
@testable import Readiness

/// The state and the switch, by when revisions are there, against a model that keeps every request.
@Suite struct RevisionOrderTests {
    private struct Request {
        let day: Int
        let revision: Int
        /// Nil for a valid one.
        let isRefused: Bool?
    }

    private static func revision(_ number: Int) -> Revision { Revision(number: UInt64(number + 1), letters: 97) }

    private struct Model {
        let state: Enforcement.State
        let start: Int?

        init(_ requests: [Request]) {
            func state(_ revision: Int) -> Enforcement.State {
                let signs = requests.filter { $0.revision == revision }.compactMap(\.isRefused)
                let refused = signs.count { $0 }
                if refused >= 3, 2 * refused > signs.count { return .on }
                return refused < signs.count ? .off : .unknown
            }
            var presence = RevisionPresence()
            var begun: [(place: Int, number: Int, revision: Int)] = []
            for (place, request) in requests.enumerated() {
                let number = presence.add(RevisionOrderTests.revision(request.revision))
                if number > begun.count { begun.append((place, number, request.revision)) }
            }
            let newest = begun.filter { beginning in
                !begun.contains { $0.revision == beginning.revision && $0.number > beginning.number }
            }
            let there = newest.filter { presence.there.contains(RevisionOrderTests.revision($0.revision)) }
            let states = there.map { state($0.revision) }
            self.state =
                states.contains(.on)
                ? states.contains(.off) ? .partly : .on : states.last == .off || states.last == .on ? .off : .unknown
            var start: Int?
            let last = there.last { state($0.revision) == .on }?.number ?? 0
            // One that has returned began anew.
            for (place, _, revision) in newest.filter({ $0.number <= last }).reversed() {
                let state = state(revision)
                if state == .on { start = place }
                if state == .off { break }
            }
            self.start = start
        }
    }

    /// Some days of runs of three revisions, short and long.
    private func requests(_ generator: inout SeededGenerator) -> [Request] {
        let kinds = (0..<3).map { _ in [true, true, false, nil].randomElement(using: &generator) ?? nil }
        let longest = [2, 8, 30].randomElement(using: &generator) ?? 8
        return (0..<4).flatMap { day in
            (0..<Int.random(in: 1...12, using: &generator)).flatMap { _ in
                let revision = Int.random(in: 0..<3, using: &generator)
                return (0..<Int.random(in: 1...longest, using: &generator)).map { _ in
                    let lacks = Int.random(in: 0..<3, using: &generator) == 0
                    return Request(day: day, revision: revision, isRefused: lacks ? kinds[revision] : nil)
                }
            }
        }
    }

    private func instant(_ place: Int, _ day: Int) -> Instant {
        Instant(
            day: Day(number: 20_737).advanced(by: day), nanosecondOfDay: Int64(place + 1) * 1_000_000_000)
    }

    @Test func revisionsAreThere() {
        var generator = SeededGenerator(seed: 11)
        for round in Tier.some(of: 0..<600, every: 6) {
            let requests = requests(&generator)
            var (writer, timeline) = (CellWriter(), RevisionTimeline())
            for (place, request) in requests.enumerated() {
                let instant = instant(place, request.day)
                let revision = RevisionOrderTests.revision(request.revision)
                writer.add(
                    app: request.isRefused == nil ? .valid : .missing, at: instant,
                    answer: request.isRefused ?? false ? .unauthenticated : .success,
                    stint: CellTable.Stint(revision, beginning: timeline.add(revision, 1, on: instant.day)))
            }
            var table = writer.finish()
            table.departures = timeline.departures
            for last in 1..<4 {
                let end = Instant(endOf: instant(0, last).day)
                let found = EnforcementHistory(
                    table, in: Window(from: end.day, to: end.day), hasAllowing: false, .second
                ).enforcement(policy: nil, asOf: end)
                let model = Model(requests.filter { $0.day <= last })
                #expect(found.state == model.state, "\(round), day \(last)")
                #expect(
                    found.start == model.start.map { instant($0, requests[$0].day) }, "\(round), day \(last)")
            }
        }
    }
}
