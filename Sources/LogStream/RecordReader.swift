package import Verifications

/// Scans sources one after another and reports to a sink what it finds.
///
/// It classes each record once: oversized, malformed, not a verification, ignored, or a verification; the sink finds
/// copies and applies filters. One reader serves one thread; several work side by side, each with its own sink. Indices
/// of functions and projects are those of the reader, for all its sources.
@safe public struct RecordReader<Sink: RecordSink>: SourceHandler {
    public internal(set) var sink: Sink
    var current = CurrentSource()

    let options: ScanOptions
    let scratch = TextScratch()
    /// The markers that the record that failed to parse shows in another spelling.
    private var decodedMarkers = MarkerCount.none
    private var cause = Malformation.notJSON
    var functionNames: NameTable
    private var projectNames: NameTable
    package internal(set) var clientVersions = ClientVersions()
    var userAgents: NameTable
    /// By the index of a user agent: what it tells.
    var clients: [ClientCode?] = [nil]
    /// Number of user agents that are looked up; only forgers send more.
    let userAgentLimit = 512
    /// By function index: the smallest label seen.
    var labels: [ExactName?] = [nil]
    /// By the place of a service's hash: the name in the last URL that was looked at.
    var urlNames: [(service: UInt64, ends: UInt64)] = Array(repeating: (0, 0), count: 64)

    public init(options: ScanOptions, sink: Sink) {
        self.options = options
        self.sink = sink
        functionNames = NameTable(key: options.fingerprintKey, limit: options.maxFunctions)
        projectNames = NameTable(key: options.fingerprintKey, limit: options.maxFunctions)
        userAgents = NameTable(key: options.fingerprintKey, limit: userAgentLimit)
    }

    /// The functions by index; index 0 means none.
    public var functions: [ScannedFunction?] {
        [nil]
            + (1..<Int32(functionNames.count)).map { index in
                ScannedFunction(
                    identity: functionNames.identity(at: index), label: labels[Int(index)],
                    hash: functionNames.hash(at: index))
            }
    }

    /// The names of projects by index; index 0 means entries that name none.
    package var projects: [String] {
        [FunctionIdentity.unknown] + (1..<Int32(projectNames.count)).map { projectNames.identity(at: $0).project }
    }

    public mutating func scan(_ input: LogInput, isPipelined: Bool, progress: ReadProgress) -> ScannedSource {
        scratch.unpackable = PubSub.mostAtFirst
        return readSource(input, isPipelined: isPipelined, progress: progress)
    }

    /// Reads the objects that are whole of a log that grows, and removes them from the bytes; nil when there are none.
    ///
    /// Text between them is passed over: `gcloud logging tail --format=json` writes one array that never ends.
    package mutating func scan(growing bytes: inout [UInt8], isEnded: Bool, of name: String) -> InputSummary? {
        let all = ByteCollector(bytes)
        let limit = isEnded ? 0 : options.maxRecordBytes
        var objects = ByteCollector()
        var rest = all.text
        while let brace = rest.index(of: .openBrace, from: 0) {
            rest = rest.cut(brace..<rest.count)
            guard let end = JSONScanner.endOfObject(in: rest) ?? (rest.count > limit ? rest.count : nil) else { break }
            objects.append(rest.cut(0..<end))
            objects.append(RawText("\n"))
            rest = rest.cut(end..<rest.count)
        }
        bytes.removeFirst(rest.first == .openBrace ? bytes.count - rest.count : bytes.count)
        guard !objects.isEmpty else { return nil }
        current = CurrentSource(name, .values)
        scratch.unpackable = PubSub.mostAtFirst
        current.unread.search(objects.text)
        unsafe ValueFramer(limit: options.maxRecordBytes).readAll(objects.bytes, &self)
        countUnread()
        return summary
    }

    mutating func index(ofProject project: RawText) -> Int32 {
        guard project != RawText.unknown else { return NameTable.none }
        let index = projectNames.index(of: NameKey(project: project))
        if index == NameTable.none { summary.faults.insert(.tooManyFunctions) }
        return index
    }

    mutating func end(of input: LogInput) {
        countUnread()
        if current.stripped > 0, !current.hasLabelled { reportWithoutStatuses(current.stripped) }
        reportEnd(of: input)
        endCounts()
        endServices()
        summary.newestEntry = sink.endSource(input.hourOfSink)
        summary.unread.date(newest: summary.newestEntry)
    }

    func advice(on format: UnusableFormat, name: String, isInGzip: Bool) -> String {
        ProblemWording.unusable(format, name: name, isInGzip: isInGzip)
    }

    // MARK: Taking

    mutating func handleLine(_ line: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int) {
        guard let line = unsafe LineRecord.text(of: line) else { return }
        let record = LineRecord.withoutComma(line)
        if hints.contains(.unended) {
            let values = FunctionsLogLine(record)?.payload ?? record
            if values.first?.opensContainer ?? false, JSONScanner.endsEarly(values) { current.pull.endsInRecord = true }
        }
        if current.counts != nil { return readCounts(record) }
        if line.count > options.maxRecordBytes {
            return handleOversized(offset..<offset + line.count)
        }
        switch current.container {
        case .console, .functionsLog: readConsoleLine(record, hints, offset: offset)
        default: readLine(record, hints, offset: offset)
        }
    }

    mutating func handleElement(_ element: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int) {
        let element = unsafe RawText(element)
        if current.counts != nil { return readCounts(element) }
        if current.services != nil { return readService(element, offset: offset) }
        if element.count > options.maxRecordBytes {
            return handleOversized(offset..<offset + element.count)
        }
        switch RecordOpening(element) {
        case .page where ResponsePage.isEmpty(element): handlePageEnd(namesNext: ResponsePage.namesNext(in: element))
        case .message: readUnseen(element, hints, offset: offset)
        case .errorAnswer: handleErrorAnswer(offset: offset)
        default: read(element, hints, offset: offset)
        }
    }

    /// Reports a page that was not given: it may have held any number of entries.
    private mutating func handleErrorAnswer(offset: Int) {
        summary.unread.add(nil)
        report(.unexpectedContainer, ProblemWording.errorAmongEntries, offset: offset)
    }

    mutating func handleTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int) {
        if current.holdsCounts { return }
        guard let line = unsafe LineRecord.text(of: line), line.count <= options.maxRecordBytes else { return }
        // A line that is whole counts; its beginning alone is not a record.
        switch (current.container, RecordOpening(line)) {
        case (.console, _), (.functionsLog, _): _ = parseConsole(line, offset: offset)
        case (_, .page): readPage(line, isDamaged: true, offset: offset)
        default: _ = parse(LineRecord.withoutComma(line), offset: offset)
        }
        handleLost(offset..<offset + line.count)
    }

    /// Counts are used as a whole, or not at all.
    mutating func handleUnterminated(offset: Int) {
        if current.holdsCounts { return failCounts() }
        report(.unterminatedArray, ProblemWording.unterminated, byteOffset: offset)
    }

    mutating func handleLost(_ range: Range<Int>) { current.unread.pass(range, isRead: true) }

    mutating func handleDamaged(
        _ cause: Malformation, markers: MarkerCount, isObject: Bool, isCutOff: Bool, _ range: Range<Int>
    ) {
        if current.holdsCounts { return failCounts() }
        if isCutOff, current.container != .lines { current.pull.endsInRecord = true }
        summary.records += 1
        // Here they count with the others that it shows, once at least.
        current.unread.pass(range, isRead: true)
        // What a message is about cannot be seen when it is damaged: it may well be a verification, or many of them.
        let isHidden = current.isPubSub && isObject || cause.hidesText
        guard options.isStrict || markers.any || isHidden else { return }
        // The last record of a file that is still being written is no more than that.
        let isBeginning = isCutOff && markers.atLeastOne == 1
        reportMalformed(
            cause, unread: isBeginning ? 0 : isHidden && !markers.any ? nil : markers.atLeastOne,
            offset: range.lowerBound)
    }

    mutating func handleOversized(_ range: Range<Int>) {
        if current.holdsCounts { return failCounts() }
        let shown = current.unread.pass(range, isRead: true)
        reportOversized(unread: current.isPubSub && shown == 0 ? nil : max(1, shown), offset: range.lowerBound)
    }

    // MARK: Lines of JSON, and values on them

    mutating func readLine(_ line: RawText, _ hints: MarkerHints, offset: Int) {
        switch RecordOpening(line) {
        case .entry: read(line, hints, offset: offset)
        case .message: readUnseen(line, hints, offset: offset)
        case .page: readPage(line, isDamaged: false, offset: offset)
        case .emptyArray: break
        case .array where !Scalar.isValue(line): read(line, hints, offset: offset)
        case .array where OpenedValue.isArrayOfObjects(line): readPage(line, isDamaged: false, offset: offset)
        case .array, .brace: read(line, hints, offset: offset)
        case .errorAnswer: handleErrorAnswer(offset: offset)
        }
    }

    mutating func readPage(_ page: RawText, isDamaged: Bool, offset: Int) {
        if ResponsePage.isEmpty(page) { return handlePageEnd(namesNext: ResponsePage.namesNext(in: page)) }
        // Only the end of the source is an end.
        let endsInRecord = current.pull.endsInRecord
        let framer = ValueFramer(limit: options.maxRecordBytes, offset: offset)
        unsafe framer.readAll(page.buffer, isDamaged: isDamaged, &self)
        current.pull.endsInRecord = endsInRecord
    }

    /// Reads a page with something else in front of its elements, or with damage; false when the object is none.
    mutating func readDamagedPage(_ object: RawText, offset: Int) -> Bool {
        guard !current.isInDamagedPage, ResponsePage.wrapsEntries(object) else { return false }
        current.isInDamagedPage = true
        readPage(object, isDamaged: false, offset: offset)
        current.isInDamagedPage = false
        return true
    }

    // MARK: Records

    private mutating func read(_ record: RawText, _ hints: MarkerHints, offset: Int) {
        let isObject = record.first == .openBrace
        if hints.needsParsing || options.isStrict || current.isPubSub
            || isObject && !hints.contains(.requests) && LostMarkers.hold(in: record)
        {
            readUnseen(record, hints, offset: offset)
        } else if isObject, !RecordOpening.isUnknown(record) {
            readUnmarked(record, hints)
        } else if isObject, record.holds("\"data\"") {
            // A message's keys come in any order.
            readUnseen(record, hints, offset: offset)
        } else {
            let markers = unread(in: record)
            if markers.any { reportUnread(markers, record, offset: offset) } else { readUnmarked(record, hints) }
        }
    }

    private func unread(in record: RawText) -> MarkerCount {
        record.first != .openBrace && LostMarkers.isBinary(record) ? .unknown : MarkerCount(unread: record)
    }

    private mutating func readUnmarked(_ record: RawText, _ hints: MarkerHints) {
        summary.records += 1
        if !hints.isEmpty, options.readsEvidence, mayBeEvidence(record, hints) { readEvidence(record) }
    }

    /// False for most rows that are not of a request: preflights say OPTIONS.
    private func mayBeEvidence(_ record: RawText, _ hints: MarkerHints) -> Bool {
        hints.contains(.text) || record.holds(EntryReader.wantedMethod) || record.holds(SDKLineText.pythonCause)
    }

    /// Reads a record that counts as one record, regardless of its contents: only what accompanies verifications is of
    /// interest.
    private mutating func readEvidence(_ record: RawText) {
        var reader = entryReader(record)
        guard (try? reader.readValue()) != nil, reader.scanner.isAtEnd() else { return }
        addEvidence(reader, of: record)
    }

    private mutating func readUnseen(_ record: RawText, _ hints: MarkerHints, offset: Int) {
        decodedMarkers = .none
        if parse(record, offset: offset) { return }
        if EmulatorLine(record) != nil, parseConsole(record, offset: offset) { return }
        // A line of summary says nothing that the entry after it does not.
        if ExplorerText.isSummary(record) {
            current.unread.pass(offset..<offset + record.count, isRead: true)
            return
        }
        var markers = record.first == .openBrace ? MarkerCount(in: record) : unread(in: record)
        if decodedMarkers.any { markers = decodedMarkers }
        let isText = record.last != .closeBrace && !record.isJSON
        if ConsoleLine.isKnown(record) || isText && markers.any {
            return reportUnread(markers, record, offset: offset)
        }
        let isCutOff = hints.contains(.unended) && record.last != .closeBrace
        handleDamaged(
            cause, markers: markers, isObject: true, isCutOff: isCutOff, offset..<offset + record.count)
    }

    /// Reads all values of a text, each a record.
    ///
    /// - Returns: False when the text is not JSON to its last byte; nothing of it has been counted then.
    private mutating func parse(_ text: RawText, offset: Int) -> Bool {
        var reader = entryReader(text)
        do throws(JSONFailure) {
            try reader.readValue()
            if reader.scanner.isAtEnd() {
                reader.isEmulated = current.isEmulator && !reader.isEntry && reader.fields.resource.labels.isEmpty
                count(reader, of: text, offset: offset)
                return true
            }
            // Strings without anything between them are one text in which quotes are doubled. The line's hints need not
            // show the marker: after the first that has the line parsed, nobody looks for others.
            if text.first == .quote, reader.scanner.cursor.current == .quote,
                unsafe MarkerHints(in: text.buffer).contains(.marker)
            {
                throw JSONFailure()
            }
            // Several values on one line: the whole line must hold before anything of it counts.
            repeat { try reader.scanner.skipValue() } while !reader.scanner.isAtEnd()
            reader.scanner.rewind(to: 0)
            repeat {
                let start = reader.scanner.position
                try reader.scanner.skipValue()
                // What it shows by itself is unknown, so that it is parsed like a line with an escape.
                readLine(text.cut(start..<reader.scanner.position), .escape, offset: offset + start)
            } while !reader.scanner.isAtEnd()
            return true
        } catch {
            cause = error.cause
            decodedMarkers = MarkerCount(in: reader.decodedText)
            return cause == .dataNotEntry && readBatch(reader.decodedText, of: text, offset: offset)
        }
    }

    @inline(__always)
    func entryReader(_ record: RawText) -> EntryReader {
        scratch.reset()
        let longestInner = min(options.maxRecordBytes, PubSub.longestEntry)
        return EntryReader(JSONCursor(record), scratch: scratch, longestInner: longestInner)
    }

    // MARK: Lines of a console

    private mutating func readConsoleLine(_ line: RawText, _ hints: MarkerHints, offset: Int) {
        let opening = RecordOpening(line)
        let isOdd = if case .entry = opening, !ConsoleLine.isKnown(line) { true } else { false }
        if isOdd { noteOddLine(line, hints) }
        let isSeen = hints.needsParsing || options.isStrict
        if case .message = opening {
            readUnseen(line, hints, offset: offset)
        } else if case .page = opening {
            readPage(line, isDamaged: false, offset: offset)
        } else if !hints.needsParsing, current.container == .functionsLog, case .entry = opening,
            FunctionsLogLine.isContinuation(line)
        {
            return
        } else if !isSeen || isOdd && !line.isJSON {
            summary.records += 1
            // An odd one counts with the others at the end.
            current.unread.pass(offset..<offset + line.count, isRead: true)
            if current.container == .functionsLog, options.readsEvidence { readConsoleEvidence(line, hints) }
        } else if !parseConsole(line, offset: offset) {
            handleDamaged(
                cause, markers: MarkerCount(in: line), isObject: true, isCutOff: hints.contains(.unended),
                offset..<offset + line.count)
        }
    }

    /// Takes note of a line that no console prints; JSON with a marker is looked at when it is read.
    private mutating func noteOddLine(_ line: RawText, _ hints: MarkerHints) {
        if hints.needsParsing && line.isJSON || ExplorerText.isSummary(line) { return }
        current.unread.leave(printed: MarkerCount(unread: line))
    }

    /// Counts, at the end of a source, what belongs to no record that was read.
    mutating func countUnread() {
        summary.unread.add(current.unread.end(hasEntries: current.hasEntries))
        let (printed, stray) = (current.unread.printed, current.unread.stray)
        if current.hasEntries && printed.any || stray != nil {
            noteUnread(printed, offset: stray ?? 0)
        } else if printed.isOfServices {
            // An application may print anything: that shows no requests.
            report(.unexpectedContainer, ProblemWording.servicesInLog)
        }
    }

    /// Reads a line that counts as one record, regardless of its contents.
    private mutating func readConsoleEvidence(_ line: RawText, _ hints: MarkerHints) {
        guard hints.contains(.text) || line.holds(SDKLineText.pythonCause) else { return }
        var reader = entryReader(line)
        guard (try? reader.readConsoleLine(line)) != nil, !reader.isEmulated else { return }
        addEvidence(reader, of: line)
    }

    private mutating func parseConsole(_ line: RawText, offset: Int) -> Bool {
        var reader = entryReader(line)
        do throws(JSONFailure) {
            try reader.readConsoleLine(line)
            count(reader, of: line, offset: offset)
            return true
        } catch {
            cause = error.cause
            return false
        }
    }
}
