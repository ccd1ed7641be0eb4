internal import Verifications

/// Reads the records of one scanner's sources and classes each once: what CONTRACT calls malformed, oversized, not a
/// verification or a verification.
@safe struct RecordReader<Sink: RecordSink>: RecordTaker {
    var sink: Sink
    /// Of the source being read.
    var summary = InputSummary()
    var source = ""
    var traits = Container.Traits()

    private let options: ScanOptions
    private let scratch = TextScratch()
    private(set) var functions: NameTable
    private(set) var projects: NameTable
    /// True when the record that failed to parse holds a marker in another spelling.
    private var hidesMarker = false
    /// By function index: the smallest label seen.
    private(set) var labels: [String?] = []
    /// By function index: the project's index, so that a function that is known needs no second look-up.
    private var projectOfFunction: [Int32?] = []

    init(options: ScanOptions, sink: Sink) {
        self.options = options
        self.sink = sink
        functions = NameTable(key: options.fingerprintKey, limit: options.maxFunctions)
        projects = NameTable(key: options.fingerprintKey, limit: options.maxFunctions)
    }

    // MARK: Lines

    mutating func takeLine(_ line: UnsafeBufferPointer<UInt8>, signs: LineSigns, offset: Int) {
        guard let line = unsafe LineRecord.text(of: line, at: offset) else { return }
        if line.count > options.maxRecordBytes { return takeOversized(offset: offset) }
        switch Page.Line(line) {
        case .entry: read(line, signs, offset: offset)
        case .emptyObject: if !Page.isEmpty(line) { read(line, signs, offset: offset) }
        case .page:
            var framer = ValueFramer(limit: options.maxRecordBytes, offset: offset)
            unsafe framer.consume(UnsafeBufferPointer(start: line.start, count: line.count), &self)
            framer.finish(isDamaged: false, &self)
        case .emptyArray: break
        case .array: reportUnexpected(ProblemWording.unexpectedArray, offset: offset)
        }
    }

    mutating func takeElement(_ element: UnsafeBufferPointer<UInt8>, signs: LineSigns, offset: Int) {
        let element = unsafe RawText(element)
        if element.count > options.maxRecordBytes { return takeOversized(offset: offset) }
        if !Page.isEmpty(element) { read(element, signs, offset: offset) }
    }

    private mutating func read(_ record: RawText, _ signs: LineSigns, offset: Int) {
        if signs.isEmpty && !options.isStrict && !traits.hidesMarkers {
            summary.records += 1
        } else {
            hidesMarker = false
            guard !(traits.isConsole ? parseConsole(record, offset: offset) : parse(record, offset: offset)) else {
                return
            }
            if !traits.isConsole, ConsoleLine.isKnown(record) {
                return reportUnexpected(ProblemWording.unexpectedText, offset: offset)
            }
            takeDamaged(showsMarker: hidesMarker || Marker.shows(in: record), offset: offset)
        }
    }

    mutating func takeDamaged(showsMarker: Bool, offset: Int) {
        summary.records += 1
        if options.isStrict || showsMarker { reportMalformed(.notJSON, offset: offset) }
    }

    mutating func noteUnterminated(offset: Int) {
        summary.problems.append(
            Problem(
                source: source, kind: .unterminatedArray, byteOffset: offset, record: nil,
                detail: ProblemWording.unterminated))
    }

    mutating func takeOversized(offset: Int) {
        summary.records += 1
        summary.oversized += 1
        let detail = ProblemWording.oversized(limit: options.maxRecordBytes)
        summary.problems.append(
            Problem(
                source: source, kind: .oversizedRecord, byteOffset: offset, record: summary.records, detail: detail))
    }

    mutating func takeTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int) {
        guard let line = unsafe LineRecord.text(of: line, at: offset) else { return }
        // A line that is whole counts; its beginning alone is no record.
        if line.count <= options.maxRecordBytes { _ = parse(line, offset: offset) }
    }

    /// Reads all values of a line, each a record.
    ///
    /// - Returns: False when the line is not JSON to its last byte; nothing of it has been counted then.
    private mutating func parse(_ line: RawText, offset: Int) -> Bool {
        var reader = entryReader(line)
        do throws(JSONFailure) {
            try reader.readValue()
            if reader.scanner.isAtEnd() {
                count(reader, offset: offset)
                return true
            }
            // Several values on one line: the whole line must hold before anything of it counts.
            let second = reader.scanner.position
            repeat { try reader.scanner.skipValue() } while !reader.scanner.isAtEnd()
            if !Page.isEmpty(line.cut(0..<second)) { count(reader, offset: offset) }
            reader.scanner.rewind(to: second)
            repeat {
                let start = reader.scanner.position
                try reader.readValue()
                if !Page.isEmpty(line.cut(start..<reader.scanner.position)) { count(reader, offset: offset) }
            } while !reader.scanner.isAtEnd()
            return true
        } catch {
            hidesMarker = Marker.shows(in: reader.hiddenText)
            return false
        }
    }

    /// Reads a console line, a record by itself.
    private mutating func parseConsole(_ line: RawText, offset: Int) -> Bool {
        var reader = entryReader(line)
        do throws(JSONFailure) {
            try reader.readConsoleLine(line)
            count(reader, offset: offset)
            return true
        } catch {
            return false
        }
    }

    private func entryReader(_ record: RawText) -> EntryReader {
        scratch.reset()
        // Safe: records have slack behind them.
        return EntryReader(
            unsafe JSONCursor(base: record.start, count: record.count), scratch: scratch,
            longestInner: options.maxRecordBytes)
    }

    // MARK: Records

    private mutating func count(_ reader: EntryReader, offset: Int) {
        summary.records += 1
        let conclusion = reader.conclude()
        if let entry = conclusion.errorStream {
            sink.noteErrorStream(project: index(of: entry.project), at: entry.instant)
        }
        switch conclusion.finding {
        case .notVerification: break
        case .unusable: reportMalformed(.nameTooLong, offset: offset)
        case .verification where reader.isEmulated: summary.ignored += 1
        case .verification(let record): count(record)
        }
    }

    private mutating func count(_ record: VerificationRecord) {
        let function = functions.index(of: record.identity) { retired in
            labels[Int(retired)] = nil
            if Int(retired) < projectOfFunction.count { projectOfFunction[Int(retired)] = nil }
            sink.retire(function: retired)
        }
        while labels.count < functions.count { labels.append(nil) }
        let project = projectIndex(of: record.identity.project, function: function)
        if let label = record.label, function != NameTable.pooled { keep(label, of: Int(function)) }
        sink.count(
            Verification(
                function: function, project: project, generation: Generation(rawValue: record.identity.tag),
                app: record.app, auth: record.auth, severity: record.severity, instant: record.instant,
                fingerprint: record.fingerprint(options.fingerprintKey)))
    }

    private mutating func projectIndex(of name: RawText, function: Int32) -> Int32 {
        guard function != NameTable.pooled else { return index(of: name) }
        if Int(function) < projectOfFunction.count, let known = projectOfFunction[Int(function)] { return known }
        let project = index(of: name)
        while projectOfFunction.count < functions.count { projectOfFunction.append(nil) }
        if project != NameTable.pooled { projectOfFunction[Int(function)] = project }
        return project
    }

    private mutating func index(of project: RawText) -> Int32 {
        // Entries that name no project go where those of all projects beyond the limit go.
        guard project != RawText.unknown else { return NameTable.pooled }
        return projects.index(of: NameKey(project: project)) { retired in
            projectOfFunction.removeAll(keepingCapacity: true)
            sink.retire(project: retired)
        }
    }

    private mutating func keep(_ label: RawText, of function: Int) {
        if let known = labels[function] {
            guard !label.matches(known) else { return }
            labels[function] = min(known, label.string)
        } else {
            labels[function] = label.string
        }
    }

    private mutating func reportUnexpected(_ detail: String, offset: Int) {
        summary.records += 1
        summary.problems.append(
            Problem(
                source: source, kind: .unexpectedContainer, byteOffset: offset, record: summary.records,
                detail: detail))
    }

    private mutating func reportMalformed(_ cause: ProblemWording.Malformation, offset: Int) {
        summary.malformed += 1
        summary.problems.append(
            Problem(
                source: source, kind: .malformedRecord, byteOffset: offset, record: summary.records,
                detail: ProblemWording.malformed(cause)))
    }
}

extension RawText {
    /// True when the text is `string`, byte for byte.
    fileprivate func matches(_ string: String) -> Bool {
        var string = string
        return string.withUTF8 { unsafe self == RawText($0) }
    }
}
