import Readiness
import TestSupport
import Testing
import Verifications

/// A part of a tally is what a log of those days alone would have given.
@Suite struct TallyDaysTests {
    private func tally(of verifications: [Verification]) -> Tally {
        var tally = Tally()
        for verification in verifications {
            let identity = FunctionIdentity(
                project: "p\(verification.function % 2)", region: "r", name: "f\(verification.function)",
                generation: Generation(rawValue: UInt8(verification.function % 3)))
            tally.add(CellTable([verification]), for: identity)
            var project = ProjectTally()
            project.addErrorStream(day: verification.instant?.day)
            tally.add(project, for: ExactName(identity.project))
            if let instant = verification.instant { tally.updateNewest(instant) }
        }
        return tally
    }

    /// Days are folded as soon as nobody will look at their hours, or all in the end: it is the same.
    @Test(arguments: [57, 64, 71, 85]) func daysFoldOnTheWay(days: Int) {
        let begin = Day(number: 20_600)
        func tally(hoursFrom first: (Day) -> Day) -> Tally {
            var (writer, random) = (CellWriter(), SeededGenerator(seed: 7))
            for number in 0..<days {
                let day = begin.advanced(by: number)
                for _ in 0..<6 {
                    let instant = Instant(
                        day: day, nanosecondOfDay: Int64.random(in: 0..<86_400_000_000_000, using: &random))
                    writer.add(
                        app: Bool.random(using: &random) ? .valid : .missing, at: instant,
                        of: Client(ClientCode(Bool.random(using: &random) ? .android : .web)))
                }
                // Rows without a verification are counted a day later.
                writer.add(openRows: number % 3, answer: .serverError, on: day.advanced(by: -1))
                writer.endDay(day, hoursFrom: first(day))
            }
            var tally = Tally()
            tally.add(
                writer.finish(), for: FunctionIdentity(project: "p", region: "r", name: "f", generation: .second))
            tally.finish(givenUpThrough: nil, namesFrom: begin.advanced(by: days - 1 - 42))
            return tally
        }
        let onTheWay = tally { $0.advanced(by: -42) }
        #expect(onTheWay == tally { _ in Day(number: .min) })
        #expect(onTheWay.functions.values.first?.cells.count ?? 0 > days)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func boundsLeaveOutWhatLiesBeyondThem(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let verifications = (0..<300).map { _ in random.verification() }
        let whole = tally(of: verifications)
        let (first, last) = (Day(number: 20_719), Day(number: 20_725))
        for (since, until) in [(first, last), (nil, last), (first, nil)] as [(Day?, Day?)] {
            let part = whole.days(from: since, through: until)
            let kept = verifications.filter { verification in
                guard let day = verification.instant?.day else { return false }
                return since ?? day <= day && day <= until ?? day
            }
            let wanted = tally(of: kept)
            #expect(part.newest == wanted.newest)
            #expect(Set(part.functions.keys) == Set(wanted.functions.keys))
            for (identity, function) in wanted.functions {
                #expect(part.functions[identity]?.days() == function.days())
                #expect(part.functions[identity]?.first == function.first)
                #expect(part.functions[identity]?.last == function.last)
                #expect(part.functions[identity]?.undated.total == 0)
            }
            for (name, project) in wanted.projects {
                #expect(part.projects[name]?.errorStreamDays == project.errorStreamDays)
            }
        }
        #expect(whole.days(from: nil, through: nil) == whole)
    }
}
