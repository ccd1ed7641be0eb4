import TestSupport
import Testing
import Verifications

@testable import Entries
@testable import Readiness

/// The switch, by the order of the revisions' first requests, against a model that keeps every request.
@Suite struct RevisionOrderTests {
    private struct Request {
        let day: Int
        let revision: Int
        /// Nil for a valid one.
        let isRefused: Bool?
    }

    /// As the rule has it: what is before S is not there, and a revision that answers again after 20 requests of others
    /// begins anew.
    private struct Model {
        let state: Enforcement.State
        let start: Int?

        init(_ requests: [Request], from first: Int) {
            let seen = requests.indices.filter { requests[$0].day >= first }
            func state(_ revision: Int) -> Enforcement.State {
                let signs = seen.filter { requests[$0].revision == revision }.compactMap { requests[$0].isRefused }
                let refused = signs.count { $0 }
                if refused >= 3, 2 * refused > signs.count { return .on }
                return refused < signs.count ? .off : .unknown
            }
            var (last, begun): ([Int: Int], [(place: Int, revision: Int)]) = ([:], [])
            for place in seen {
                let revision = requests[place].revision
                if last[revision].map({ place - $0 > 20 }) ?? true { begun.append((place, revision)) }
                last[revision] = place
            }
            let newest = Set(requests.suffix(10).map(\.revision))
            let states = newest.map(state)
            let youngest = begun.last { newest.contains($0.revision) }.map { state($0.revision) }
            self.state =
                states.contains(.on)
                ? states.contains(.off) ? .partly : .on : youngest == .unknown ? .unknown : .off
            var start: Int?
            for (place, revision) in begun.reversed() where states.contains(.on) {
                let state = state(revision)
                if state == .on { start = place }
                if state == .off, start != nil { break }
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

    @Test func requestsBeforeTheStretchChangeNoOrder() {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<600 {
            let requests = requests(&generator)
            var (writer, timeline) = (CellWriter(), RevisionTimeline())
            for (place, request) in requests.enumerated() {
                let revision = Revision(number: UInt64(request.revision + 1), letters: 97)
                let date = instant(place, request.day).day
                writer.add(
                    app: request.isRefused == nil ? .valid : .missing, at: instant(place, request.day),
                    answer: request.isRefused ?? false ? .unauthenticated : .success,
                    stint: CellTable.Stint(revision, beginning: timeline.add(revision, 1, on: date)))
                writer.table.addNewest(1, of: revision)
            }
            let table = writer.finish()
            for first in 0..<3 {
                let stretch = Window(from: instant(0, first).day, to: instant(0, 3).day)
                let found = EnforcementHistory(table, in: stretch, hasAllowing: false, .second)
                    .enforcement(policy: nil, asOf: Instant(endOf: instant(0, 3).day))
                let model = Model(requests, from: first)
                #expect(found.state == model.state, "\(round), from day \(first)")
                let start = model.start.map { instant($0, requests[$0].day) }
                #expect(found.start == start, "\(round), from day \(first)")
            }
        }
    }
}
