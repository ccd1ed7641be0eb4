internal import Readiness
internal import Verifications

/// What was counted of one provenance, in bytes: by a query, or of a day.
extension PackedWriter {
    /// Days in ascending order, each as its distance from the one before.
    mutating func write(days: [Day]) {
        write(days.count)
        var last: Int32 = 0
        for day in days {
            write(signed: Int64(day.number) - Int64(last))
            last = day.number
        }
    }

    mutating func write(_ part: RawFunction.Part) {
        write(part.copies)
        write(part.tally.undated)
        write(part.tally.otherSeverities.rawValue)
        write(days: part.tally.days.map(\.day))
        for day in part.tally.days {
            write(day.counts)
            write(
                Int(day.passSeverities.rawValue) | Int(day.revisions.slot) << 3
                    | (day.revisions.counts.isEmpty ? 0 : SumFlags.revisions))
            if day.revisions.counts.isEmpty {
                write(day.revisions.revision.word)
            } else {
                write(day.revisions.counts.count)
                for revision in day.revisions.counts {
                    write(revision.slot)
                    write(revision.revision.word)
                    write(revision.counts)
                }
            }
            write(day.firstNanosecond)
            write(day.lastNanosecond - day.firstNanosecond)
            write(day.lastSlot)
            for blocked in [day.blocked, day.signedInBlocked] {
                write(blocked.hours)
                if let last = blocked.lastNanosecond { write(last) }
            }
            write(day.validHours)
            write(day.parts.count)
            for part in day.parts {
                write(part.from)
                write(part.slot.map { $0 + 1 } ?? 0)
                write(part.counts)
                write(part.callers)
            }
        }
    }

    private mutating func write(_ matrix: StatusMatrix) {
        let counts = TokenStatus.allCases.flatMap { app in TokenStatus.allCases.map { matrix[app, $0] } }
        write(counts.reversed().reduce(0) { $0 << 1 | ($1 > 0 ? 1 : 0) })
        for count in counts where count > 0 { write(count) }
    }
}

extension PackedReader {
    /// From year 1 to year 9999.
    private static let days = -719_162...2_932_896

    mutating func readDays() throws(PackedFault) -> [Day] {
        var days: [Day] = []
        for _ in 0..<(try readCount(bytesEach: 1)) {
            let step = try readSigned(-PackedReader.days.count...PackedReader.days.count)
            let day = Int(days.last?.number ?? 0) + step
            guard PackedReader.days.contains(day), days.isEmpty || step > 0 else { throw PackedFault() }
            days.append(Day(number: Int32(day)))
        }
        return days
    }

    /// Sums as they count in the range; of what was filtered nothing but its number is left.
    mutating func readSums(
        _ range: TimeRange, horizon: Instant, upTo limit: Int, _ versions: ClientVersions? = nil
    ) throws(PackedFault) -> RawFunction.Part {
        var part = RawFunction.Part()
        part.copies = try readNumber(limit)
        var undated = try readMatrix(upTo: limit)
        var severities = PassSeverity(rawValue: UInt8(try readNumber(7)))
        var days: [DayTally] = []
        for name in try readDays() {
            let day = try readDay(name, upTo: limit, versions)
            if range.days.contains(name) {
                days.append(day)
            } else {
                part.filtered += day.counts.total
            }
        }
        if range.isBounded {
            part.filtered += undated.total
            (undated, severities) = (StatusMatrix(), [])
        }
        part.tally = FunctionTally(
            days: days, undated: undated, pooledDays: StatusMatrix(), pooledFirst: nil, otherSeverities: severities,
            label: nil)
        for day in days {
            for nanosecond in [day.firstNanosecond, day.lastNanosecond] {
                let instant = Instant(day: day.day, nanosecondOfDay: nanosecond)
                if instant <= horizon { part.updateNewest(instant) }
            }
        }
        return part
    }

    private mutating func readDay(
        _ day: Day, upTo limit: Int, _ versions: ClientVersions?
    ) throws(PackedFault) -> DayTally {
        let counts = try readMatrix(upTo: limit)
        let flags = try readNumber(2 * SumFlags.revisions - 1)
        let revision = flags < SumFlags.revisions ? try readRevision() : .none
        let revisions = flags < SumFlags.revisions ? [] : try readRevisions(upTo: limit)
        let first = try readNanosecond()
        let last = first + (try readNanosecond())
        let lastSlot = UInt8(try readNumber(Revision.slots))
        guard counts.total > 0, last < Instant.nanosecondsPerDay else { throw PackedFault() }
        var blocked: [BlockedTimes] = []
        for _ in 0..<2 {
            let hours = UInt32(try readNumber(1 << 24 - 1))
            blocked.append(BlockedTimes(hours: hours, lastNanosecond: hours == 0 ? nil : try readNanosecond()))
        }
        let validHours = UInt32(try readNumber(1 << 24 - 1))
        var parts: [DayPart] = []
        for _ in 0..<(try readCount(bytesEach: 5)) {
            let from = try readNanosecond()
            let slot = try readNumber(Revision.slots + 1)
            let (counts, callers) = (try readMatrix(upTo: limit), try readCallerDay(versions))
            parts.update(from, slot > 0 ? UInt8(slot - 1) : nil) { ($0.counts, $0.callers) = (counts, callers) }
        }
        return DayTally(
            day: day, counts: counts, nanoseconds: first...last, blocked: blocked[0], signedInBlocked: blocked[1],
            validHours: validHours, passSeverities: PassSeverity(rawValue: UInt8(flags & 7)),
            revisions: DayRevisions(slot: UInt8(flags >> 3 & 15), revision: revision, counts: revisions),
            lastSlot: lastSlot, parts: parts)
    }

    private mutating func readRevision() throws(PackedFault) -> Revision {
        let revision = Revision(word: UInt64(try readNumber()))
        guard revision == .none || revision.isPossible else { throw PackedFault() }
        return revision
    }

    private mutating func readRevisions(upTo limit: Int) throws(PackedFault) -> [RevisionCounts] {
        var revisions: [RevisionCounts] = []
        for _ in 0..<(try readNumber(Revision.slots + 1)) {
            let slot = UInt8(try readNumber(Revision.slots))
            let revision = try readRevision()
            guard revisions.last.map({ $0.slot < slot }) ?? true else { throw PackedFault() }
            revisions.append(RevisionCounts(slot: slot, revision: revision, counts: try readMatrix(upTo: limit)))
        }
        return revisions
    }

    mutating func readNanosecond() throws(PackedFault) -> Int64 {
        Int64(try readNumber(Int(Instant.nanosecondsPerDay) - 1))
    }

    private mutating func readMatrix(upTo limit: Int) throws(PackedFault) -> StatusMatrix {
        var matrix = StatusMatrix()
        var filled = try readNumber(1 << 16 - 1)
        for app in TokenStatus.allCases {
            for auth in TokenStatus.allCases {
                if filled & 1 == 1 { matrix[app, auth] = try readNumber(limit) }
                filled >>= 1
            }
        }
        return matrix
    }
}

private enum SumFlags {
    /// Stands above the severities and the slot of a day with several revisions.
    static let revisions = 128
}
