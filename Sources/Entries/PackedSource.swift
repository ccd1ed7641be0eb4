package import Readiness
package import Verifications

/// What one source holds, as it is kept: a head, and a part for each UTC day.
///
/// The bytes depend only on the contents of a source, not on its name or compression: sources with equal
/// heads are one.
package struct PackedSource: Hashable, Sendable {
    /// The head of the source, with the checksums of its parts.
    package var head: ArraySlice<UInt8>
    /// By ``DayIndex``, ascending; not all of those of which the head tells, when some were given up.
    package var parts: [Part]

    package struct Part: Hashable, Sendable {
        package let day: DayIndex
        package let bytes: ArraySlice<UInt8>

        package init(day: DayIndex, bytes: ArraySlice<UInt8>) { (self.day, self.bytes) = (day, bytes) }
    }

    package init(head: ArraySlice<UInt8>, parts: [Part]) { (self.head, self.parts) = (head, parts) }

    /// Packs what a source holds.
    package init(_ source: consuming Source, named name: String) {
        var head = SourceHead(source)
        parts = head.takeDays().sorted { $0.key < $1.key }.map { day, entries in
            var (encoder, none) = (ByteEncoder(), EntrySet())
            _ = entries.code(&encoder, of: day, head, for: .finding, into: &none)
            return Part(day: day, bytes: encoder.written[...])
        }
        head.partsSum = parts.reduce(0) { mixed($0 ^ UInt64($1.day.number)) ^ $1.bytes.checkSum }
        var encoder = ByteEncoder()
        head.code(&encoder, named: name) { _ in 0 }
        self.head = encoder.written[...]
    }

    /// In bytes.
    package var size: Int { parts.reduce(head.count) { $0 + $1.bytes.count } }
}

extension Source {
    /// Reads a whole source, which may be anything.
    ///
    /// - Parameters:
    ///   - packed: The bytes.
    ///   - name: What the source is called.
    ///   - range: What counts.
    ///   - horizon: Verifications after it do not decide what is judged as of.
    ///   - end: The first day of which there are no sums, so that its entries count.
    ///   - hash: The keyed hash of a function's identity.
    /// - Throws: That the bytes are something else.
    package init(
        _ packed: PackedSource, named name: String, range: TimeRange = TimeRange(), horizon: Instant,
        sealedBefore end: DayIndex? = nil, hash: (FunctionIdentity) -> UInt64
    ) throws(MalformedBytes) {
        let head = try SourceHead(packed.head, named: name, range: range, horizon: horizon, hash: hash)
        self = head.source
        var contents = PartContents()
        for part in packed.parts {
            let use = end.map { part.day < $0 } ?? false ? PartUse.context(.all) : .counting(range)
            contents.merge(try part.read(head, for: use, into: &set, horizon: horizon))
        }
        set.input.add(contents)
    }
}

/// What a source says of itself, and what its parts are read with.
package struct SourceHead: Sendable {
    /// The source without its entries.
    package var source = Source()
    /// By the numbers in its parts: the keyed hashes of functions, then those of other services.
    private(set) var services: [UInt64] = []
    private(set) var functions = 0
    /// Those that the parts name, by their hashes.
    private var versions: [(hash: UInt64, version: ClientVersion)] = []
    /// Checksum of the parts, so that the head alone distinguishes sources.
    fileprivate(set) var partsSum: UInt64 = 0

    /// The head of a source that is to be packed.
    fileprivate init(_ source: consuming Source) {
        services = source.set.names.sorted { $0.value < $1.value }.map(\.key)
        functions = services.count
        services += source.set.services.keys.filter { [names = source.set.names] in names[$0] == nil }.sorted()
        self.source = source
    }

    /// Reads a head, which may be anything.
    ///
    /// - Throws: That the bytes are something else.
    package init(
        _ bytes: ArraySlice<UInt8>, named name: String, range: TimeRange = TimeRange(),
        horizon: Instant = Instant(seconds: .max), hash: (FunctionIdentity) -> UInt64
    ) throws(MalformedBytes) {
        var decoder = ByteDecoder(bytes)
        try code(&decoder, named: name, hash: hash)
        try decoder.end()
        source.set.projects = source.set.projects.mapValues { $0.days(range) }
        source.counted = source.counted.map { counted in
            var tally = RawTally()
            for (name, project) in counted.projects { tally.add(project.days(range), for: name) }
            for (name, function) in counted.functions { tally.add(function.days(range, horizon: horizon), for: name) }
            return tally
        }
    }

    /// Takes the entries by day, with the versions that they name.
    fileprivate mutating func takeDays() -> [DayIndex: SourceDay] {
        var days: [DayIndex: SourceDay] = [:]
        guard source.counted == nil else { return days }
        for (number, service) in services.enumerated() {
            let revisions = source.set.functions[service]?.revisions
            source.set.take(service) { day, entries in
                var entries = entries
                entries.revisions = revisions?.revisions(on: day) ?? []
                days[day, default: SourceDay()].services.append((number, entries))
            }
        }
        var hashes: Set<UInt64> = []
        for service in days.values.lazy.flatMap(\.services) {
            service.entries.rows.forEach { hashes.insert(ClientVersions.hash(of: $0.client, $0.version)) }
            hashes.formUnion(service.entries.revisions.compactMap(\.nameHash))
        }
        versions = hashes.sorted().compactMap { hash in source.set.versions[hash].map { (hash, $0) } }
        return days
    }

    fileprivate mutating func code<C: Coder>(
        _ coder: inout C, named name: String, hash: (FunctionIdentity) -> UInt64
    ) throws(C.Failure) {
        let kind = try coder.number(source.counted != nil ? 2 : source.hasEvidence ? 1 : 0, in: 0...2)
        source.hasEvidence = kind == 1
        try source.set.input.code(&coder, of: name)
        try source.identity.code(&coder)
        // What could not be opened says nothing by which it could be told from others.
        _ = try coder.text(source.set.input.sources == 0 ? name : "")
        var projects: [ExactName: ProjectTally] = [:]
        let known = (source.counted?.projects ?? source.set.projects).sorted { $0.key < $1.key }
        for project in try coder.elements(known, or: (ExactName(""), ProjectTally())) {
            var (name, tally) = (ExactName(try coder.text(project.key.text)), project.value)
            try tally.code(&coder)
            projects[name] = tally
        }
        guard kind < 2 else { return try codeCounted(&coder, projects) }
        source.set.projects = projects
        try codeFunctions(&coder, hash: hash)
        for (hash, version) in try coder.elements(versions, or: (0, ClientVersion())) {
            let hash = try coder.bits(hash, 32)
            let read = ClientVersion(
                app: try coder.text(version.app), version: try coder.text(version.version),
                os: try coder.text(version.os))
            try coder.require(hash > 0 && hash <= ClientVersions.hashMask && read.isPlain)
            source.set.versions.add(read, hash: hash)
        }
        partsSum = try coder.word(partsSum)
    }

    private mutating func codeCounted<C: Coder>(
        _ coder: inout C, _ projects: [ExactName: ProjectTally]
    ) throws(C.Failure) {
        var (tally, sum) = (RawTally(), 0)
        for (name, project) in projects { tally.add(project, for: name) }
        let known = (source.counted?.functions ?? [:]).sorted { $0.key < $1.key }
        for element in try coder.elements(known, or: (.none, RawFunction())) {
            var (name, function) = element
            try name.code(&coder)
            function.label = try coder.name(function.label)
            for provenance in Provenance.allCases {
                var part = function[provenance]
                try part.code(&coder, Limits.counts)
                sum += part.tally.totals.total
                try coder.require(Limits.counts.contains(sum))
                if !part.isEmpty { function[provenance] = part }
            }
            tally.add(function, for: name)
        }
        source.counted = tally
    }

    private mutating func codeFunctions<C: Coder>(
        _ coder: inout C, hash: (FunctionIdentity) -> UInt64
    ) throws(C.Failure) {
        let known = (functions: Array(services[..<functions]), others: Array(services[functions...]))
        services = []
        for service in try coder.elements(known.functions, or: 0) {
            var identity = source.set.names[service] ?? .none
            try identity.code(&coder)
            let service = C.isReading ? hash(identity) : service
            var function = FunctionEntries()
            function.label = try coder.name(source.set.functions[service]?.label)
            try codeURLName(&coder, of: service)
            (function.otherMessage, function.contradictoryText) = (
                try coder.number(source.set.functions[service]?.otherMessage ?? 0, in: Limits.entries),
                try coder.number(source.set.functions[service]?.contradictoryText ?? 0, in: Limits.entries)
            )
            if C.isReading { source.set.add(function, of: identity, hash: service) }
            services.append(service)
        }
        functions = services.count
        for service in try coder.elements(known.others, or: 0) {
            services.append(try coder.word(service))
            try codeURLName(&coder, of: services[services.count - 1])
        }
    }

    private mutating func codeURLName<C: Coder>(_ coder: inout C, of service: UInt64) throws(C.Failure) {
        if let name = try coder.name(source.set.urlNames[service]) { source.set.keep(urlName: name, of: service) }
    }
}

extension SourceIdentity {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        checksum = UInt32(try coder.bits(UInt64(checksum), 32))
        var read: [UInt64] = []
        for hash in try coder.elements(beginnings, or: 0) { read.append(try coder.word(hash)) }
        beginnings = read
    }
}

extension FunctionIdentity {
    fileprivate static let none = FunctionIdentity(project: "", region: "", name: "", generation: nil)

    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        let generation = Generation(rawValue: try coder.number(generation?.rawValue ?? 0, in: 0...2))
        self = FunctionIdentity(
            project: try coder.text(project), region: try coder.text(region), name: try coder.text(name),
            generation: generation)
    }

    fileprivate static func < (left: FunctionIdentity, right: FunctionIdentity) -> Bool {
        func key(_ name: FunctionIdentity) -> (ExactName, ExactName, ExactName, UInt8) {
            (ExactName(name.project), ExactName(name.region), ExactName(name.name), name.generation?.rawValue ?? 0)
        }
        return key(left) < key(right)
    }
}

extension ProjectTally {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        let isUndated = try coder.flag(undatedErrorStream)
        var days: [Day] = []
        for day in try coder.elements(errorStreamDays.sorted(), or: .earliest) {
            days.append(try coder.day(day, after: days.last))
        }
        self = ProjectTally(errorStreamDays: Set(days), undatedErrorStream: isUndated)
    }

    fileprivate func days(_ range: TimeRange) -> ProjectTally {
        ProjectTally(
            errorStreamDays: errorStreamDays.filter { range.days.contains($0) },
            undatedErrorStream: undatedErrorStream && !range.isBounded)
    }
}

extension InputSummary {
    fileprivate mutating func code<C: Coder>(_ coder: inout C, of source: String) throws(C.Failure) {
        sources = try coder.number(sources, in: 0...1)
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
    /// False for what a terminal may obey.
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension ClientVersion {
    private static let bytes = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+".utf8)

    /// True when it is spelled as in user agents and hosts, of which the longest have 253 bytes: it is shown as it is.
    fileprivate var isPlain: Bool {
        [app, version, os].allSatisfy { $0.utf8.count <= 253 && $0.utf8.allSatisfy(ClientVersion.bytes.contains) }
    }
}
