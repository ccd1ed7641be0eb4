import Readiness
import TestSupport
import Testing
import Verifications

/// `merge` must not care how an input was cut into parts, nor in which order the parts come.
@Suite struct TallyMergeTests {
    @Test(arguments: 0..<50)
    func partsInAnyOrderGiveTheWhole(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let verifications = (0..<400).map { _ in random.verification() }
        let whole = tally(verifications)

        var parts = Array(repeating: [Verification](), count: 5)
        for verification in verifications { parts[Int.random(in: 0..<5, using: &random)].append(verification) }
        let tallies = parts.map(tally).shuffled(using: &random)

        let fromLeft = tallies.reduce(into: Tally()) { $0.merge($1) }
        let fromRight = tallies.reversed().reduce(Tally()) { merged, part in
            var part = part
            part.merge(merged)
            return part
        }
        #expect(fromLeft == whole)
        #expect(fromRight == whole)
    }

    @Test func emptyIsTheIdentity() {
        var random = SeededGenerator(seed: 7)
        let whole = tally((0..<100).map { _ in random.verification() })
        var left = Tally()
        left.merge(whole)
        var right = whole
        right.merge(Tally())
        #expect(left == whole)
        #expect(right == whole)
        #expect(whole != Tally())
    }

    @Test func daysBeyondTheLimitStayInTotals() {
        let days = (0..<FunctionTally.dayLimit + 10).map { Day(number: Int32($0)) }
        func tally(_ days: [Day]) -> FunctionTally {
            days.reduce(into: FunctionTally()) { $0.add(verification(at: Instant(day: $1, nanosecondOfDay: 5))) }
        }
        let ascending = tally(days)
        #expect(ascending.days.count == FunctionTally.dayLimit)
        #expect(ascending.days.first?.day == Day(number: 10))
        #expect(ascending.pooledDays.total == 10)
        #expect(ascending.undated.total == 0)
        #expect(ascending.totals.total == days.count)
        #expect(tally(days.reversed()) == ascending)
        var merged = tally(Array(days.prefix(2000)))
        merged.merge(tally(Array(days.dropFirst(2000))))
        #expect(merged == ascending)
    }

    /// The latest days stay, whichever came first.
    @Test(arguments: 0..<5)
    func projectsForgetDaysBeyondTheLimit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = ProjectTally.dayLimit
        let days = (0..<3 * limit).map { Day(number: Int32($0)) }
        func project(_ days: some Sequence<Day>) -> ProjectTally {
            let counted = days.reduce(into: ProjectTally()) { $0.addErrorStream(day: $1) }
            var project = ProjectTally()
            project.merge(counted)
            return project
        }
        let ascending = project(days)
        #expect(ascending.errorStreamDays == Set(days.suffix(limit)))
        #expect(ascending.undatedErrorStream)
        #expect(project(days.reversed()) == ascending)
        #expect(project(days.shuffled(using: &random)) == ascending)

        var parts = Array(repeating: [Day](), count: 5)
        for day in days { parts[Int.random(in: 0..<5, using: &random)].append(day) }
        let merged = parts.shuffled(using: &random).reduce(into: ProjectTally()) { $0.merge(project($1)) }
        #expect(merged == ascending)
        let few = project(days.prefix(limit))
        #expect(few.errorStreamDays.count == limit && !few.undatedErrorStream)
    }

    private func tally(_ verifications: [Verification]) -> Tally {
        verifications.reduce(into: Tally()) { tally, verification in
            var function = FunctionTally()
            function.add(verification)
            if verification.app == .other { function.markUnlabelled() }
            function.discard(Discarded(otherMessage: verification.failed ? 1 : 0))
            var project = ProjectTally()
            if verification.failed { project.addErrorStream(day: verification.instant?.day) }
            let identity = FunctionIdentity(
                project: "p\(verification.function % 2)", region: "r", name: "f\(verification.function)",
                generation: Generation(rawValue: UInt8(verification.function % 3)))
            tally.add(function, for: identity)
            tally.add(project, for: ExactName(identity.project))
            if let instant = verification.instant { tally.updateNewest(instant) }
        }
    }

    private func verification(at instant: Instant) -> Verification {
        Verification(
            function: 0, app: .valid, auth: .valid, severity: .debug, instant: instant)
    }
}

extension SeededGenerator {
    /// A verification of any kind.
    mutating func verification() -> Verification {
        let instant = Instant(
            seconds: Int64.random(in: 1_790_000_000..<1_791_000_000, using: &self),
            nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &self))
        return Verification(
            function: Int32.random(in: 0..<4, using: &self),
            app: TokenStatus.allCases.randomElement(using: &self) ?? .valid,
            auth: TokenStatus.allCases.randomElement(using: &self) ?? .valid,
            severity: PassSeverity(rawValue: 1 << UInt8.random(in: 0..<3, using: &self)),
            instant: Bool.random(using: &self) ? instant : nil)
    }
}
