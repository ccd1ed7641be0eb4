internal import LogStream
internal import Readiness
internal import Verifications

/// Takes what a section says, in its order.
protocol SectionSink {
    /// What is known of a function apart from single verifications, which come next.
    mutating func begin(_ function: FunctionIdentity, _ sums: RawFunction)
    mutating func add(_ verification: SeenCandidate)
    mutating func add(_ row: RequestRow)
    mutating func add(_ line: SDKLine)
}

/// Reads the section of one source, which may be anything: the whole of it is read once to see whether it holds, before
/// anything of it counts.
struct SectionReader {
    /// What is left when all that a sink takes is gone.
    struct Remainder {
        var input = InputSummary()
        var projects: [ExactName: ProjectTally] = [:]
        var versions = ClientVersions()
        var givenUpThrough: Day?
        var flags: SectionFlags = []
    }

    /// Of what a source is counted in; 2^32 such sections do not exceed what a number can tell.
    private static let countLimit = 1 << 40
    private static let verificationLimit = 1 << 32
    private static let textLimit = 4096
    /// From year 1 to year 9999.
    private static let days = -719_162...2_932_896

    private let source: String
    var bytes: SnapshotReader
    private var texts: [String] = []
    private var flags: SectionFlags = []

    /// - Parameters:
    ///   - source: The name of the source.
    ///   - bytes: The section, no byte more.
    init(_ source: String, _ bytes: ArraySlice<UInt8>) {
        self.source = source
        self.bytes = SnapshotReader(bytes)
    }

    /// Reads the section to its end.
    ///
    /// - Throws: ``SnapshotFault/damaged``; the sink may have taken something by then.
    mutating func read(into sink: inout some SectionSink) throws(SnapshotFault) -> Remainder {
        var rest = Remainder()
        texts = []
        for _ in 0..<(try bytes.readCount(bytesEach: 1)) { texts.append(try bytes.readText(SectionReader.textLimit)) }
        flags = SectionFlags(rawValue: try bytes.readByte())
        guard flags.isSubset(of: .all), flags == .counts || !flags.contains(.counts) else { throw .damaged }
        rest.flags = flags
        rest.input = try readInput()
        for _ in 0..<(try bytes.readCount(bytesEach: 3)) {
            let name = ExactName(try readText())
            let isUndated = try bytes.readNumber(1) == 1
            rest.projects[name] = ProjectTally(errorStreamDays: Set(try readDays()), undatedErrorStream: isUndated)
        }
        for _ in 0..<(try bytes.readCount(bytesEach: 10)) { try readFunction(into: &sink) }
        if flags.contains(.evidence) { try readEvidence(into: &sink, &rest) }
        guard bytes.rest == 0 else { throw .damaged }
        return rest
    }

    mutating func readText() throws(SnapshotFault) -> String {
        let number = try bytes.readNumber()
        guard number < texts.count else { throw .damaged }
        return texts[number]
    }

    private mutating func readInput() throws(SnapshotFault) -> InputSummary {
        var input = InputSummary()
        input.sources = try bytes.readNumber(1)
        let counts: [WritableKeyPath<InputSummary, Int>] = [
            \.bytesDecompressed, \.records, \.ignored, \.malformed, \.oversized, \.unexpected,
        ]
        for count in counts { input[keyPath: count] = try bytes.readNumber(SectionReader.countLimit) }
        input.faults = InputFaults(rawValue: UInt8(try bytes.readNumber(15)))
        for _ in 0..<(try bytes.readCount(bytesEach: 4)) {
            guard let kind = Problem.Kind(rawValue: try readText()), kind != .more else { throw .damaged }
            let offset = try bytes.readNumber(SectionReader.countLimit)
            let record = try bytes.readNumber(SectionReader.countLimit)
            let detail = try readText()
            // It is shown as it is.
            guard detail.unicodeScalars.allSatisfy(\.isShown) else { throw .damaged }
            input.problems.append(
                Problem(
                    source: source, kind: kind, byteOffset: offset > 0 ? offset - 1 : nil,
                    record: record > 0 ? record - 1 : nil, detail: detail))
        }
        input.problems.drop(try bytes.readNumber(SectionReader.countLimit))
        return input
    }

    private mutating func readDay() throws(SnapshotFault) -> Day {
        Day(number: Int32(try bytes.readSigned(SectionReader.days)))
    }

    /// Days in ascending order, each as its distance from the one before.
    mutating func readDays() throws(SnapshotFault) -> [Day] {
        var days: [Day] = []
        for index in 0..<(try bytes.readCount(bytesEach: 1)) {
            guard let last = days.last, index > 0 else {
                days.append(try readDay())
                continue
            }
            let step = try bytes.readSigned(1...(SectionReader.days.upperBound - SectionReader.days.lowerBound))
            let day = Int(last.number) + step
            guard SectionReader.days.contains(day) else { throw .damaged }
            days.append(Day(number: Int32(day)))
        }
        return days
    }

    // MARK: Functions

    private mutating func readFunction(into sink: inout some SectionSink) throws(SnapshotFault) {
        let kind = UInt8(try bytes.readNumber(3))
        let (project, region, name) = (try readText(), try readText(), try readText())
        let label = try readText()
        let function =
            kind == 3
            ? .pooled
            : FunctionIdentity(project: project, region: region, name: name, generation: Generation(rawValue: kind))
        var sums = RawFunction()
        if !label.isEmpty { sums.label = ExactName(label) }
        sums.otherMessage = try bytes.readNumber(SectionReader.verificationLimit)
        sums.contradictoryText = try bytes.readNumber(SectionReader.verificationLimit)
        sums.repeated = try bytes.readNumber(SectionReader.verificationLimit)
        sums.repeatedAlone = try bytes.readNumber(SectionReader.verificationLimit)
        guard flags.contains(.fingerprints) else {
            for provenance in Provenance.allCases {
                let part = try readPart()
                if !part.isEmpty { sums[provenance] = part }
            }
            return sink.begin(function, sums)
        }
        sink.begin(function, sums)
        for _ in 0..<(try bytes.readCount(bytesEach: 9)) { try readStream(into: &sink) }
    }

    private mutating func readStream(into sink: inout some SectionSink) throws(SnapshotFault) {
        let kind = try bytes.readNumber(5)
        guard let provenance = Provenance(rawValue: UInt8(kind >> 1)) else { throw .damaged }
        let day = kind & 1 == 1 ? try readDay() : nil
        let count = try bytes.readCount(bytesEach: 7)
        let parameter = day == nil ? 0 : try bytes.readNumber(RiceCode.parameters.upperBound)
        var statuses = RecentStatuses()
        var clock = StreamClock(parameter: parameter, isRounded: flags.contains(.rounded))
        for _ in 0..<count {
            var record = SeenRecord(provenance: provenance)
            if let day {
                let time = try clock.read(from: &bytes)
                record.instant = Instant(day: day, nanosecondOfDay: time.nanosecond)
                record.isRounded = time.isRounded
            }
            try statuses.read(into: &record, from: &bytes)
            record.rank = UInt8(try bytes.readBits(8))
            record.key = UInt32(try bytes.readBits(Int(SeenRecord.keyBits)))
            let key = try bytes.readBits(RecentStatuses.upperKeyBits) << 45 | UInt64(record.key)
            var request = RequestKey.none
            if flags.contains(.evidence), try bytes.readBits(1) == 1 {
                request = RequestKey(word: try bytes.readBits(64))
            }
            sink.add(SeenCandidate(record, key: key, request: request))
        }
        try bytes.endBits()
    }

    /// The times of a day's verifications, in ascending order.
    private struct StreamClock {
        let parameter: Int
        let isRounded: Bool
        private var last: UInt64 = 0
        private var first: Int64?

        init(parameter: Int, isRounded: Bool) {
            self.parameter = parameter
            self.isRounded = isRounded
        }

        mutating func read(
            from bytes: inout SnapshotReader
        ) throws(SnapshotFault) -> (nanosecond: Int64, isRounded: Bool) {
            let unit = isRounded ? UInt64(SeenRecord.roundingUnit) : 1
            let (units, overflow) = last.addingReportingOverflow(try bytes.readBits(riceWith: parameter))
            guard !overflow, units < UInt64(Instant.nanosecondsPerDay) / unit else { throw .damaged }
            last = units
            let isExact = isRounded ? try bytes.readBits(1) == 1 : true
            let remainder = isRounded && isExact ? try bytes.readBits(RecentStatuses.remainderBits) : 0
            guard remainder < unit else { throw .damaged }
            return (Int64(units * unit + remainder), !isExact)
        }
    }

    // MARK: Sums

    private mutating func readPart() throws(SnapshotFault) -> RawFunction.Part {
        var part = RawFunction.Part()
        part.copies = try bytes.readNumber(SectionReader.verificationLimit)
        let undated = try readMatrix()
        let pooled = try readMatrix()
        var pooledFirst: Instant?
        if pooled != StatusMatrix() {
            let seconds = try bytes.readSigned(
                SectionReader.days.lowerBound * 86_400...SectionReader.days.upperBound * 86_400)
            pooledFirst = Instant(
                seconds: Int64(seconds), nanoseconds: UInt32(try bytes.readNumber(999_999_999)))
        }
        let severities = PassSeverity(rawValue: UInt8(try bytes.readNumber(7)))
        let names = try readDays()
        guard names.count <= FunctionTally.dayLimit else { throw .damaged }
        var days: [DayTally] = []
        for name in names { days.append(try readDay(name)) }
        part.tally = FunctionTally(
            days: days, undated: undated, pooledDays: pooled, pooledFirst: pooledFirst, otherSeverities: severities,
            label: nil)
        return part
    }

    private mutating func readDay(_ day: Day) throws(SnapshotFault) -> DayTally {
        let counts = try readMatrix()
        let severities = PassSeverity(rawValue: UInt8(try bytes.readNumber(7)))
        let first = try readNanosecond()
        let last = first + (try readNanosecond())
        guard counts.total > 0, last < Instant.nanosecondsPerDay else { throw .damaged }
        var blocked: [BlockedTimes] = []
        for _ in 0..<2 {
            let hours = UInt32(try bytes.readNumber(1 << 24 - 1))
            blocked.append(BlockedTimes(hours: hours, lastNanosecond: hours == 0 ? nil : try readNanosecond()))
        }
        return DayTally(
            day: day, counts: counts, nanoseconds: first...last, blocked: blocked[0], signedInBlocked: blocked[1],
            passSeverities: severities)
    }

    private mutating func readNanosecond() throws(SnapshotFault) -> Int64 {
        Int64(try bytes.readNumber(Int(Instant.nanosecondsPerDay) - 1))
    }

    private mutating func readMatrix() throws(SnapshotFault) -> StatusMatrix {
        var matrix = StatusMatrix()
        var filled = try bytes.readNumber(1 << 16 - 1)
        for app in TokenStatus.allCases {
            for auth in TokenStatus.allCases {
                if filled & 1 == 1 { matrix[app, auth] = try bytes.readNumber(SectionReader.verificationLimit) }
                filled >>= 1
            }
        }
        return matrix
    }
}

extension SeenRecord {
    /// One of which the rest is to be filled in.
    fileprivate init(provenance: Provenance) {
        self.init(first: 0, second: 0) { nil }
        self.provenance = provenance
        instant = nil
    }
}

extension Unicode.Scalar {
    /// False for what a terminal may obey.
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
