package import Verifications

/// Scans inputs of a rollout one after another: rows of a Google Analytics export, and Remote Config templates, told
/// apart by content.
///
/// Rows arrive as `bq extract` writes them (one per line), or as `bq query` prints them: an array.
@safe package struct EventReader<Sink: EventSink>: SourceHandler {
    package internal(set) var sink: Sink
    let options: ScanOptions
    var current = CurrentSource()
    /// The apps' versions by number; the first means all beyond ``clientLimit``.
    package private(set) var clients = [ClientVersion()]

    private let scratch = TextScratch()
    private var clientNumbers: [UInt64: UInt16] = [:]

    /// The most versions that are counted separately; no app has released as many.
    static var clientLimit: Int { Int(UInt16.max) }
    private static var textLimit: Int { 256 }

    package init(options: ScanOptions, sink: Sink) {
        (self.options, self.sink) = (options, sink)
    }

    package mutating func scan(_ input: LogInput, isPipelined: Bool, progress: ReadProgress) -> ScannedSource {
        readSource(input, isPipelined: isPipelined, progress: progress)
    }

    func advice(on format: UnusableFormat, name: String, isInGzip: Bool) -> String {
        format == .unknown
            ? ProblemWording.noRows : ProblemWording.unusable(format, name: name, isInGzip: isInGzip)
    }

    mutating func end(of input: LogInput) {}

    // MARK: Records

    mutating func handleLine(_ line: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int) {
        guard let line = unsafe LineRecord.text(of: line) else { return }
        if line.count > options.maxRecordBytes { return handleOversized(offset..<offset + line.count) }
        switch current.container {
        case .services: countServices()
        case .counts, .console, .functionsLog: countLogEntry()
        default: readLine(LineRecord.withoutComma(line), offset: offset)
        }
    }

    mutating func handleElement(_ element: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int) {
        let element = unsafe RawText(element)
        if current.container == .services { return countServices() }
        if element.count > options.maxRecordBytes { return handleOversized(offset..<offset + element.count) }
        read(element, offset: offset)
    }

    mutating func handleTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int) {
        guard let line = unsafe LineRecord.text(of: line), line.count <= options.maxRecordBytes,
            Scalar.isValue(line)
        else { return }
        read(line, offset: offset)
    }

    mutating func handleDamaged(
        _ cause: Malformation, markers: MarkerCount, isObject: Bool, isCutOff: Bool, _ range: Range<Int>
    ) {
        summary.records += 1
        reportMalformed(cause, unread: 0, offset: range.lowerBound)
    }

    mutating func handleOversized(_ range: Range<Int>) { reportOversized(unread: 0, offset: range.lowerBound) }
    mutating func handleText(markers: MarkerCount, _ range: Range<Int>) { if markers.any { countLogEntry() } }

    /// Reads a line: a row, several in a row, or an array of them.
    private mutating func readLine(_ line: RawText, offset: Int) {
        if line[line.indexOfNonSpace(from: 0)] == .openBracket {
            let framer = ValueFramer(limit: options.maxRecordBytes, offset: offset)
            return unsafe framer.readAll(line.buffer, &self)
        }
        var scanner = JSONScanner(JSONCursor(line))
        var ends: [Int] = []
        do throws(JSONFailure) {
            repeat {
                try scanner.skipValue()
                ends.append(scanner.position)
            } while !scanner.isAtEnd()
        } catch {
            return handleDamaged(error.cause, markers: .none, isObject: true, isCutOff: false, offset..<offset)
        }
        var start = 0
        for end in ends {
            read(line.cut(start..<end), offset: offset + start)
            start = end
        }
    }

    private mutating func read(_ record: RawText, offset: Int) {
        scratch.reset()
        let fields: EventFields
        do throws(JSONFailure) {
            fields = try EventFields(record)
        } catch {
            return handleDamaged(error.cause, markers: .none, isObject: true, isCutOff: false, offset..<offset)
        }
        if !fields.name.isAbsent {
            summary.records += 1
            sink.count(event(fields))
        } else if fields.isTemplate {
            summary.records += 1
            sink.keep(template: unsafe Array(record.buffer), of: current.name)
        } else if fields.isLogEntry {
            countLogEntry()
        } else {
            summary.records += 1
            summary.unexpected += 1
            if summary.unexpected == 1 { report(.unexpectedContainer, ProblemWording.noEvent, offset: offset) }
        }
    }

    private mutating func countLogEntry() {
        summary.records += 1
        sink.countLogEntry()
    }

    private mutating func countServices() {
        summary.records += 1
        sink.countServices()
    }

    // MARK: Events

    private mutating func event(_ fields: EventFields) -> AnalyticsEvent {
        let instant = EventReader.instant(scratch.text(of: fields.timestamp))
        let kind = kind(of: fields)
        return AnalyticsEvent(
            kind: kind, day: EventReader.day(scratch.text(of: fields.date)) ?? instant?.day, instant: instant,
            user: kind == .foreign ? nil : user(fields.user), client: kind == .foreign ? 0 : client(fields))
    }

    /// An attestation without a platform is taken at its word: a query may have left the column out.
    private func kind(of fields: EventFields) -> AnalyticsEvent.Kind {
        let platform = scratch.text(of: fields.platform)
        guard platform == "IOS" || platform == "iOS" || platform.isEmpty else { return .foreign }
        switch scratch.text(of: fields.name) {
        case "AppAttestSuccess": return .success
        case "AppAttestFailure": return .failure
        default: return platform.isEmpty ? .foreign : .other
        }
    }

    private func user(_ value: JSONValue) -> UInt64? {
        let text = scratch.text(of: value)
        guard !text.isEmpty else { return nil }
        var hash = SipHash(key: options.fingerprintKey)
        hash.add(text)
        return hash.finish()
    }

    private mutating func client(_ fields: EventFields) -> UInt16 {
        let (app, version) = (name(fields.app), name(fields.version))
        let system = EventReader.system(in: scratch.text(of: fields.system))
        var hash = SipHash(key: options.fingerprintKey)
        hash.add(app)
        hash.add(version)
        hash.add(system)
        let trace = hash.finish()
        if let number = clientNumbers[trace] { return number }
        guard clients.count <= EventReader.clientLimit else { return 0 }
        let number = UInt16(clients.count)
        clientNumbers[trace] = number
        clients.append(
            ClientVersion(app: app.string, version: version.string, os: system.string))
        return number
    }

    /// The text of a name; empty for one that is too long.
    private func name(_ value: JSONValue) -> RawText {
        let text = scratch.text(of: value)
        return text.count > EventReader.textLimit ? .empty : text
    }

    /// `18.7` of `iOS 18.7.1`: a fault may begin with a minor version.
    private static func system(in text: RawText) -> RawText {
        let start = (0..<text.count).first { text[$0].isDigit } ?? text.count
        let major = text.endOfDigits(from: start)
        let hasMinor = major + 1 < text.count && text[major] == UInt8(ascii: ".") && text[major + 1].isDigit
        let end = hasMinor ? text.endOfDigits(from: major + 1) : major
        return end - start > EventReader.longestSystem ? .empty : text.cut(start..<end)
    }

    private static var longestSystem: Int { 7 }

    /// `20261012`, or `2026-10-12` as a query may have made it.
    private static func day(_ text: RawText) -> Day? {
        if text.count == 10 { return Day(iso8601: text.string) }
        guard text.count == 8, let number = text.wholeNumber else { return nil }
        return Day(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// Microseconds since 1970.
    private static func instant(_ text: RawText) -> Instant? {
        guard let microseconds = text.wholeNumber else { return nil }
        return Instant(
            seconds: Int64(microseconds / 1_000_000), nanoseconds: UInt32(microseconds % 1_000_000 * 1000))
    }
}

/// A row of a Google Analytics export, as far as a rollout needs it.
///
/// Source of the format: <https://support.google.com/firebase/answer/7029846>, the tables `events_YYYYMMDD` and
/// `events_intraday_YYYYMMDD`.
package struct AnalyticsEvent {
    package enum Kind: Sendable {
        /// `AppAttestSuccess`: a token was obtained through App Attest.
        case success
        /// `AppAttestFailure`: none was.
        case failure
        case other
        case foreign
    }

    package let kind: Kind
    /// `event_date`, a day of the property's time zone; without it, the UTC day of ``instant``.
    package let day: Day?
    package let instant: Instant?
    /// A hash of `user_pseudo_id` under the run's key, meaningless outside of the run; nil where the row has none.
    package let user: UInt64?
    package let client: UInt16
}

/// Receives what is found in the inputs of a rollout, record by record.
package protocol EventSink {
    mutating func count(_ event: AnalyticsEvent)
    /// An object that may be a Remote Config template: its bytes, brace to brace.
    mutating func keep(template: [UInt8], of source: String)
    mutating func countLogEntry()
    /// A part of an answer of Cloud Monitoring about services such as Firestore.
    mutating func countServices()
}
