internal import Readiness
internal import Verifications

package protocol StoredValue {
    init()
    mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure)
}

extension StoredValue {
    package var bytes: [UInt8] {
        var (encoder, value) = (ByteEncoder(), self)
        value.code(&encoder)
        return encoder.written
    }

    /// Reads a row, which may be anything.
    package init(_ bytes: ArraySlice<UInt8>) throws(MalformedBytes) {
        self.init()
        var decoder = ByteDecoder(bytes)
        try code(&decoder)
        try decoder.end()
    }
}

extension SourceRecord: StoredValue {
    /// Returns a hash of everything in a source, in any order, except its name and its compression.
    func contentsHash(_ days: [DayIndex: [UInt64: DayEntries]]) -> UInt64 {
        var record = self
        (record.name, record.size, record.modified, record.changed) = ("", nil, nil, nil)
        (record.addedAt, record.contents) = (Instant(seconds: 0), 0)
        (record.input.bytesRead, record.input.newestEntry) = (0, nil)
        // What could not be opened says nothing else by which it could be told from others.
        if input.sources == 0 { record.name = name }
        var sum = record.bytes[...].checkSum
        for (day, services) in days {
            for (hash, entries) in services {
                sum &+= mixed(entries.contentsSum ^ mixed(hash) ^ mixed(UInt64(day.number)))
            }
        }
        return max(1, mixed(sum))
    }

    package mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        name = try coder.text(name)
        size = try coder.optional(size, in: Limits.bytes)
        modified = try coder.instant(modified)
        changed = try coder.instant(changed)
        addedAt = try coder.instant(addedAt) ?? Instant(seconds: 0)
        isStrict = try coder.flag(isStrict)
        hasEvidence = try coder.flag(hasEvidence)
        maxRecordBytes = try coder.number(maxRecordBytes, in: 0...Int(UInt32.max))
        try input.code(&coder, of: name)
        checksum = UInt32(try coder.bits(UInt64(checksum), 32))
        contents = try coder.word(contents)
        newest = try coder.instant(newest)
        input.newestEntry = try coder.instant(input.newestEntry)
        hasUndated = try coder.flag(hasUndated)
        isGone = try coder.flag(isGone)
        var projects: [ExactName: ProjectTally] = [:]
        let known = self.projects.sorted { $0.key < $1.key }
        for project in try coder.elements(known, or: (ExactName(""), ProjectTally())) {
            var (name, tally) = (ExactName(try coder.text(project.key.text)), project.value)
            try tally.code(&coder)
            projects[name] = tally
        }
        self.projects = projects
        try ledger.code(&coder)
    }
}

extension Ledger {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        var read: [UInt64: Service] = [:]
        for element in try coder.elements(services.sorted { $0.key < $1.key }, or: (0, Service())) {
            let hash = try coder.word(element.key)
            var service = element.value
            try service.uncounted.code(&coder)
            var (days, last) = ([DayIndex: ProvenanceCounts](), -1)
            let known = service.days.sorted { $0.key < $1.key }
            for (day, records) in try coder.elements(known, or: (.none, ProvenanceCounts())) {
                let day = last + 1 + (try coder.number(day.number - last - 1, in: DayIndex.numbers))
                try coder.require(DayIndex.numbers.contains(day))
                var found = records
                let filled = Provenance.allCases.reduce(0) { records[$1] > 0 ? $0 | 1 << $1.rawValue : $0 }
                let places = try coder.number(filled, in: 0...7)
                for place in Provenance.allCases {
                    let isFilled = places >> place.rawValue & 1 == 1
                    found[place] = isFilled ? try coder.number(records[place], in: Limits.counts) : 0
                }
                (days[DayIndex(number: day)], last) = (found, day)
            }
            service.days = days
            let runs = service.runs.sorted { $0.key < $1.key }.flatMap { day, runs in runs.map { (day, $0) } }
            service.runs = [:]
            for (day, run) in try coder.elements(runs, or: (.none, ShapedRun(count: 0, first: 0, last: 0))) {
                let day = DayIndex(number: try coder.number(day.number, in: DayIndex.numbers))
                let count = try coder.number(run.count, in: Limits.counts)
                let run = ShapedRun(count: count, first: try coder.word(run.first), last: try coder.word(run.last))
                service.runs[day, default: []].append(run)
            }
            read[hash] = service
        }
        services = read
    }
}

extension UncountedRecords {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        otherMessage = try coder.number(otherMessage, in: Limits.counts)
        contradictoryText = try coder.number(contradictoryText, in: Limits.counts)
        var read: [Source: ProvenanceCounts] = [:]
        for (source, records) in try coder.elements(Array(records), or: (Source(), ProvenanceCounts())) {
            var (source, found) = (source, records)
            source.provenances = UInt8(try coder.number(Int(source.provenances), in: 0...7))
            for place in Provenance.allCases { found[place] = try coder.number(records[place], in: Limits.counts) }
            let (day, isSignedIn) = (source.kind.day, try coder.flag(source.kind.isSignedIn))
            source.kind = Discarded.Kind(
                day: try coder.flag(day != nil) ? coder.day(day ?? .earliest, after: nil) : nil,
                isSignedIn: isSignedIn)
            read[source] = found
        }
        records = read
    }
}

extension ServiceName: StoredValue {
    package init() { self.init(identity: nil) }

    package mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        if try coder.flag(identity != nil) { identity = try coder.identity(identity) }
        label = try coder.name(label)
        urlName = try coder.name(urlName)
    }
}

extension ClientVersion: StoredValue {
    private static let spelling = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+".utf8)

    package init() { self.init(app: "") }

    package mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        self = ClientVersion(app: try coder.text(app), version: try coder.text(version), os: try coder.text(os))
        // Spelled as in user agents and hosts, of which the longest have 253 bytes: it is shown as it is.
        try coder.require(
            [app, version, os].allSatisfy {
                $0.utf8.count <= 253 && $0.utf8.allSatisfy(ClientVersion.spelling.contains)
            })
    }
}

extension ProjectTally {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        let isUndated = try coder.flag(undatedErrorStream)
        var (read, last) = ([Day: ClosedRange<Int64>](), Day?.none)
        let known = errorStream.sorted { $0.key < $1.key }
        for (day, times) in try coder.elements(known, or: (.earliest, 0...0)) {
            let day = try coder.day(day, after: last)
            let first = try coder.number(Int(times.lowerBound), in: 0...Int(Instant.nanosecondsPerDay) - 1)
            let end = try coder.number(Int(times.upperBound), in: first...Int(Instant.nanosecondsPerDay) - 1)
            (read[day], last) = (Int64(first)...Int64(end), day)
        }
        self = ProjectTally(errorStream: read, undatedErrorStream: isUndated)
    }
}

extension InputSummary {
    fileprivate mutating func code<C: Coder>(_ coder: inout C, of source: String) throws(C.Failure) {
        sources = try coder.number(sources, in: 0...1)
        bytesRead = try coder.number(bytesRead, in: Limits.bytes)
        bytesDecompressed = try coder.number(bytesDecompressed, in: Limits.bytes)
        for count in [\InputSummary.records, \.ignored, \.malformed, \.oversized, \.unexpected] {
            self[keyPath: count] = try coder.number(self[keyPath: count], in: Limits.counts)
        }
        var unread = UnreadRecords()
        unread.add(try coder.optional(self.unread.total, in: Limits.counts))
        faults = InputFaults(rawValue: try coder.number(faults.rawValue, in: 0...31))
        unread.cutAt = try coder.optional(self.unread.cutAt.map { Int($0.seconds) }, in: Limits.counts).map {
            Instant(seconds: Int64($0))
        }
        self.unread = unread
        var read = ProblemLog()
        let blank = Problem(source: source, kind: .unreadable, detail: "")
        for problem in try coder.elements(problems.entries.filter { $0.kind != .more }, or: blank) {
            let kind = Problem.Kind(rawValue: try coder.text(problem.kind.rawValue))
            let (offset, record) = (
                try coder.optional(problem.byteOffset, in: Limits.bytes),
                try coder.optional(problem.record, in: Limits.counts)
            )
            let detail = try coder.text(problem.detail)
            // It is shown as it is.
            try coder.require(kind != .more && detail.unicodeScalars.allSatisfy(\.isShown))
            read.append(
                Problem(
                    source: source, kind: try coder.require(kind, or: problem.kind), byteOffset: offset,
                    record: record, detail: detail))
        }
        read.drop(try coder.number(problems.dropped, in: Limits.counts))
        problems = read
    }
}

extension Unicode.Scalar {
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension Coder {
    fileprivate mutating func instant(_ instant: Instant?) throws(Failure) -> Instant? {
        guard try flag(instant != nil) else { return nil }
        let seconds = try number(instant?.seconds ?? 0, in: -(1 << 40)...1 << 40)
        let nanoseconds: UInt32 = try number(instant?.nanoseconds ?? 0, in: 0...999_999_999)
        return Instant(seconds: seconds, nanoseconds: nanoseconds)
    }
}

extension DayEntries {
    /// A sum over all that it has, in any order.
    fileprivate var contentsSum: UInt64 {
        var sum: UInt64 = 0
        for part in parts {
            let revision = mixed(part.revision.word)
            part.forEach { sum &+= mixed(mixed($0.entry.first ^ revision) ^ mixed($0.entry.second) &+ $0.third) }
            part.rows.forEach { row in
                let rest = mixed(mixed(row.third) ^ UInt64(row.address))
                sum &+= mixed(mixed(row.first ^ revision) &+ mixed(row.second ^ rest))
            }
        }
        lines.forEach { sum &+= mixed(mixed($0.first) ^ mixed($0.second) &+ $0.third) }
        return sum
    }
}
