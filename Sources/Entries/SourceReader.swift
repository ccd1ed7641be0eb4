package import Readiness
package import Verifications

/// Reads what ``SourceWriter`` writes, which may be anything: it is read to its end before anything of it counts.
package struct SourceReader {
    private let source: String
    private let range: TimeRange
    private let horizon: Instant
    private var bytes: PackedReader
    private var texts: [String] = []

    /// Reads a whole source.
    ///
    /// - Parameters:
    ///   - packed: What ``SourceWriter/packed(_:named:)`` has written.
    ///   - name: What the source is called.
    ///   - range: What counts.
    ///   - horizon: Verifications after it do not decide what is judged as of.
    ///   - end: The first day of which there are no sums, so that its entries count.
    ///   - hash: The keyed hash of a function's identity.
    /// - Returns: What the source holds.
    /// - Throws: That the bytes are something else.
    package static func source(
        _ packed: PackedSource, name: String, range: TimeRange, horizon: Instant, sealedBefore end: StoredDay? = nil,
        hash: (FunctionIdentity) -> UInt64
    ) throws(PackedFault) -> Source {
        let head = try head(packed.head, name: name, range: range, horizon: horizon, hash: hash)
        var source = head.source
        var contents = PartContents()
        for part in packed.parts {
            let use = end.map { part.day < $0 } ?? false ? PartUse.context(.all) : .counting(range)
            contents.merge(try read(part, of: head, for: use, into: &source.set, horizon: horizon))
        }
        source.set.input.add(contents)
        return source
    }

    /// Reads the head of a source, as ``source(_:name:range:horizon:sealedBefore:hash:)`` does.
    package static func head(
        _ bytes: ArraySlice<UInt8>, name: String, range: TimeRange, horizon: Instant,
        hash: (FunctionIdentity) -> UInt64
    ) throws(PackedFault) -> SourceHead {
        var reader = SourceReader(source: name, range: range, horizon: horizon, bytes: PackedReader(bytes))
        let head = try reader.readHead(hash)
        guard reader.bytes.rest == 0 else { throw PackedFault() }
        return head
    }

    private init(source: String, range: TimeRange, horizon: Instant, bytes: PackedReader) {
        (self.source, self.range, self.horizon, self.bytes) = (source, range, horizon, bytes)
    }

    private mutating func readHead(_ hash: (FunctionIdentity) -> UInt64) throws(PackedFault) -> SourceHead {
        var head = SourceHead()
        for _ in 0..<(try bytes.readCount(bytesEach: 1)) { texts.append(try bytes.readText(SourceLimits.text)) }
        let kind = try bytes.readNumber(2)
        head.source.hasEvidence = kind == 1
        head.source.set.input = try readInput()
        head.source.checksum = UInt32(try bytes.readWord(bytes: 4))
        for _ in 0..<(try bytes.readCount(bytesEach: 8)) { head.source.beginnings.append(try bytes.readWord()) }
        _ = try readText()
        var projects: [ExactName: ProjectTally] = [:]
        for _ in 0..<(try bytes.readCount(bytesEach: 3)) {
            let name = ExactName(try readText())
            let isUndated = try bytes.readNumber(1) == 1
            let days = try bytes.readDays().filter { range.days.contains($0) }
            projects[name] = ProjectTally(
                errorStreamDays: Set(days), undatedErrorStream: isUndated && !range.isBounded)
        }
        guard kind < 2 else {
            var (tally, sum) = (RawTally(), 0)
            for (name, project) in projects { tally.add(project, for: name) }
            for _ in 0..<(try bytes.readCount(bytesEach: 10)) {
                let name = try readName()
                var function = RawFunction()
                let label = try readText()
                if !label.isEmpty { function.label = ExactName(label) }
                for provenance in Provenance.allCases {
                    let part = try bytes.readSums(range, horizon: horizon, upTo: CountedRow.limit)
                    sum += part.tally.totals.total + part.filtered
                    guard sum <= CountedRow.limit else { throw PackedFault() }
                    if !part.isEmpty { function[provenance] = part }
                }
                tally.add(function, for: name)
            }
            head.source.counted = tally
            return head
        }
        head.source.set.projects = projects
        for _ in 0..<(try bytes.readCount(bytesEach: 8)) {
            let name = try readName()
            var function = FunctionEntries()
            let label = try readText()
            if !label.isEmpty { function.label = ExactName(label) }
            try readURLName(of: hash(name), into: &head.source.set)
            function.otherMessage = try bytes.readNumber(SourceLimits.entries)
            function.contradictoryText = try bytes.readNumber(SourceLimits.entries)
            head.services.append(hash(name))
            head.source.set.add(function, of: name, hash: hash(name))
        }
        head.functions = head.services.count
        for _ in 0..<(try bytes.readCount(bytesEach: 9)) {
            let service = try bytes.readWord()
            head.services.append(service)
            try readURLName(of: service, into: &head.source.set)
        }
        try readVersions(into: &head.source.set)
        // The sum of the parts, by which heads differ.
        _ = try bytes.readWord()
        return head
    }

    private mutating func readText() throws(PackedFault) -> String {
        let number = try bytes.readNumber()
        guard number < texts.count else { throw PackedFault() }
        return texts[number]
    }

    private mutating func readURLName(of service: UInt64, into set: inout EntrySet) throws(PackedFault) {
        let name = try readText()
        if !name.isEmpty { set.keep(urlName: ExactName(name), of: service) }
    }

    private mutating func readInput() throws(PackedFault) -> InputSummary {
        var input = InputSummary()
        input.sources = try bytes.readNumber(1)
        input.bytesDecompressed = try bytes.readNumber(SourceLimits.bytes)
        let counts: [WritableKeyPath<InputSummary, Int>] = [
            \.records, \.ignored, \.malformed, \.oversized, \.unexpected,
        ]
        for count in counts { input[keyPath: count] = try bytes.readNumber(SourceLimits.count) }
        let unread = try bytes.readNumber(SourceLimits.count)
        input.unread.add(unread > 0 ? unread - 1 : nil)
        input.faults = InputFaults(rawValue: UInt8(try bytes.readNumber(31)))
        let cutAt = try bytes.readNumber(SourceLimits.count)
        if cutAt > 0 { input.unread.cutAt = Instant(seconds: Int64(cutAt) - 1, nanoseconds: 0) }
        for _ in 0..<(try bytes.readCount(bytesEach: 4)) {
            guard let kind = Problem.Kind(rawValue: try readText()), kind != .more else { throw PackedFault() }
            let offset = try bytes.readNumber(SourceLimits.bytes)
            let record = try bytes.readNumber(SourceLimits.count)
            let detail = try readText()
            // It is shown as it is.
            guard detail.unicodeScalars.allSatisfy(\.isShown) else { throw PackedFault() }
            input.problems.append(
                Problem(
                    source: source, kind: kind, byteOffset: offset > 0 ? offset - 1 : nil,
                    record: record > 0 ? record - 1 : nil, detail: detail))
        }
        input.problems.drop(try bytes.readNumber(SourceLimits.count))
        return input
    }

    private mutating func readName() throws(PackedFault) -> FunctionIdentity {
        let generation = UInt8(try bytes.readNumber(2))
        return FunctionIdentity(
            project: try readText(), region: try readText(), name: try readText(),
            generation: Generation(rawValue: generation))
    }

    private static let bytesOfVersions = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+".utf8)

    private mutating func readVersions(into set: inout EntrySet) throws(PackedFault) {
        for _ in 0..<(try bytes.readCount(bytesEach: 7)) {
            let hash = try bytes.readWord(bytes: 4)
            guard hash > 0, hash <= ClientVersions.hashMask else { throw PackedFault() }
            let version = ClientVersion(app: try readText(), version: try readText(), os: try readText())
            // As a user agent spells them: they are shown as they are.
            let isPlain = [version.app, version.version, version.os].allSatisfy { text in
                text.utf8.allSatisfy { SourceReader.bytesOfVersions.contains($0) }
            }
            guard isPlain else { throw PackedFault() }
            set.versions.add(version, hash: hash)
        }
    }

    // MARK: Parts

    /// Adds what a part holds to a set.
    ///
    /// - Throws: That the bytes are something else; the set may have some of it then.
    package static func read(
        _ part: PackedSource.Part, of head: SourceHead, for use: PartUse, into set: inout EntrySet,
        horizon: Instant = Instant(seconds: .max)
    ) throws(PackedFault) -> PartContents {
        var bytes = PackedReader(part.bytes)
        var contents = PartContents()
        // An instant before 2016 is before all entries, and one that no log has is after them.
        let horizonTime =
            EntryTime(horizon) ?? (horizon.seconds < Day.earliest.startSecond ? EntryTime(word: 0) : .none)
        let day = part.day.day == nil ? nil : part.day.number
        guard day.map({ $0 < StoredDay.none.number }) ?? true else { throw PackedFault() }
        for _ in 0..<(try bytes.readCount(bytesEach: 5)) {
            let number = try bytes.readNumber()
            guard number < head.services.count else { throw PackedFault() }
            let service = head.services[number]
            let entries = try bytes.readCount(bytesEach: 6)
            guard number < head.functions || entries == 0 else { throw PackedFault() }
            let (rows, lines) = (try bytes.readCount(bytesEach: 15), try bytes.readCount(bytesEach: 21))
            contents.verifications += entries
            if entries > 0 {
                let revisions = try readRevisions(&bytes)
                var function = set.functions.removeValue(forKey: service) ?? FunctionEntries()
                defer { set.functions[service] = function }
                if let day = part.day.day { for revision in revisions { function.add(revision, on: day) } }
                try readEntries(entries, day, from: &bytes, horizon: horizonTime, &contents) { entry, request in
                    switch use {
                    case .counting: function.add(entry, request)
                    case .context(let keys):
                        if request != .none || keys.contains(entry.key) { function.add(entry.counted, request) }
                    case .finding: function.add(entry, .none)
                    }
                }
            } else {
                // Their number of bits is there all the same.
                _ = try bytes.readBits(6)
            }
            guard day != nil || rows + lines == 0 else { throw PackedFault() }
            for _ in 0..<rows {
                let row = try EntryRow(from: &bytes, day: day ?? 0)
                if let counts = use.counts(row.instant) { set.add(row.counting(counts), to: service) }
            }
            for _ in 0..<lines {
                let line = try EntryLine(from: &bytes, day: day ?? 0)
                if let counts = use.counts(line.instant) { set.add(line.counting(counts), to: service) }
            }
            try bytes.endBits()
        }
        guard bytes.rest == 0 else { throw PackedFault() }
        return contents
    }

    private static func readRevisions(_ bytes: inout PackedReader) throws(PackedFault) -> [Revision] {
        var revisions: [Revision] = []
        for _ in 0..<(try bytes.readCount(bytesEach: 6)) {
            let revision = Revision(word: UInt64(try bytes.readNumber()))
            guard revision.isPossible, revisions.count < Revision.slots else { throw PackedFault() }
            revisions.append(revision)
        }
        return revisions
    }

    private static func readEntries(
        _ count: Int, _ day: Int?, from part: inout PackedReader, horizon: EntryTime, _ contents: inout PartContents,
        _ body: (Entry, RequestWord) -> Void
    ) throws(PackedFault) {
        let parameter = Int(try part.readBits(6))
        guard RiceCode.parameters.contains(parameter) else { throw PackedFault() }
        var (time, codes, newest) = (UInt64(0), RecentCodes(), Entry?.none)
        for _ in 0..<count {
            if day != nil {
                let (sum, overflow) = time.addingReportingOverflow(try part.readBits(riceWith: parameter))
                guard !overflow, sum < EntryTime.ofDayLimit else { throw PackedFault() }
                time = sum
            }
            let key = try part.readBits(53)
            let code = try codes.read(from: &part)
            guard let moment = day.map({ EntryTime(day: $0, ofDay: time) }) ?? EntryTime.none else {
                throw PackedFault()
            }
            let entry = Entry(
                key: key >> 8, digest: UInt8(key & 255), time: moment, code: code >> 5, slot: UInt8(code >> 1 & 15))
            guard entry.isPossible else { throw PackedFault() }
            let request = code & 1 == 1 ? RequestWord(word: try part.readBits(64)) : .none
            guard code & 1 == 0 || request != .none else { throw PackedFault() }
            if !entry.isDated {
                contents.hasUndated = true
            } else if entry.time.word <= horizon.word {
                // They are in the order of time.
                newest = entry
            }
            body(entry, request)
        }
        contents.newest = [contents.newest, newest?.instant].compactMap(\.self).max()
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
