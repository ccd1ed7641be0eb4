public import Verifications

/// Receives the records of whole sources, and keeps what was read of each.
protocol SourceHandler: RecordHandler {
    var options: ScanOptions { get }
    var current: CurrentSource { get set }
    mutating func end(of input: LogInput)
    func advice(on format: UnusableFormat, name: String, isInGzip: Bool) -> String
}

extension SourceHandler {
    var summary: InputSummary {
        get { current.summary }
        _modify { yield &current.summary }
    }

    mutating func handleUnterminated(offset: Int) {
        report(.unterminatedArray, ProblemWording.unterminated, byteOffset: offset)
    }

    /// Counts a record that could not be read, and how many verifications it may hold; nil if unknown.
    mutating func reportMalformed(_ cause: Malformation, unread: Int?, offset: Int) {
        summary.malformed += 1
        summary.unread.add(unread)
        report(.malformedRecord, ProblemWording.malformed(cause, limit: options.maxRecordBytes), offset: offset)
    }

    /// The same for one that is longer than the limit.
    mutating func reportOversized(unread: Int?, offset: Int) {
        summary.records += 1
        summary.oversized += 1
        summary.unread.add(unread)
        report(.oversizedRecord, ProblemWording.oversized(limit: options.maxRecordBytes), offset: offset)
    }

    /// Reports a problem of the record that was counted last.
    mutating func report(_ kind: Problem.Kind, _ detail: String, offset: Int) {
        report(kind, detail, byteOffset: offset, record: summary.records)
    }

    mutating func report(_ kind: Problem.Kind, _ detail: String, byteOffset: Int? = nil, record: Int? = nil) {
        summary.problems.append(
            Problem(source: current.name, kind: kind, byteOffset: byteOffset, record: record, detail: detail))
    }
}

public struct ScannedSource {
    public internal(set) var summary = InputSummary()
    /// CRC-32 of its bytes, after decompression; 0 unless somebody asks: ``ScanOptions/identifies``.
    package fileprivate(set) var checksum: UInt32 = 0
}

/// Opens a source, decompresses it, recognises how its records are put together, and hands them to the handler.
extension SourceHandler {
    mutating func readSource(_ input: LogInput, isPipelined: Bool, progress: ReadProgress) -> ScannedSource {
        var scanned = ScannedSource()
        current = CurrentSource(input.name)
        switch input.open() {
        case .failure(let error):
            summary.faults.insert(.unopened)
            report(.unreadable, ProblemWording.unreadable(error.number, isLink: input.isLink))
        case .success(let opened):
            summary.sources = 1
            let buffer = InputBuffer(
                descriptor: opened.descriptor, beginning: opened.beginning, capacity: options.chunkBytes,
                progress: progress)
            let decompressor = Decompressor(buffer, isNamedGzip: input.hasNameOfGzip)
            if isPipelined {
                read(PipelinedFeed(decompressor, chunkBytes: options.chunkBytes), of: input, &scanned)
            } else {
                read(InlineFeed(decompressor, chunkBytes: options.chunkBytes), of: input, &scanned)
            }
        }
        scanned.summary = summary
        return scanned
    }

    private mutating func read(_ feed: some ChunkFeed, of input: LogInput, _ scanned: inout ScannedSource) {
        var source = SourceBytes(feed, takesChecksum: options.identifies)
        let beginning = source.beginning(atLeast: Container.sampleBytes)
        let sample = unsafe Sample(beginningOf: beginning.sample.bytes)
        current.recognise(sample, options)
        let (container, limit) = (current.container, options.maxRecordBytes)
        switch container {
        case .lines, .console, .functionsLog: frame(&source, beginning, LineFramer(limit: limit, readsValues: true))
        case .counts: frame(&source, beginning, LineFramer(limit: limit))
        case .values: frame(&source, beginning, ValueFramer(limit: limit))
        case .services:
            frame(&source, beginning, ValueFramer(limit: max(limit, ServicesReader.longestPage), pages: .series))
        case .valuesAmongText: frame(&source, beginning, ValueFramer(limit: limit, isAmongText: true))
        case .unsupported(let format):
            var text = SkippedText()
            format.search(beginning.sample.text, &text)
            while let chunk = source.next() { format.search(unsafe RawText(chunk.bytes), &text) }
            let markers = text.wholeMarkers
            guard input.isNamed || input.hasNameOfLog || format.mayBeLog || markers.showsRequests else {
                // Nothing suggests that it is a log: it is ignored.
                summary = InputSummary()
                return
            }
            let isBinary = sample.isBinary && format != .utf16
            let isHidden = format.hidesText || format == .errorAnswer || isBinary || sample.starts("<")
            summary.unread.add(isHidden ? nil : markers.verifications)
        }
        if options.identifies { scanned.checksum = source.checksum }
        finish(source)
        // Damaged bytes say nothing about the format of the source.
        if case .unsupported(let format) = container, format != .unknown || !summary.faults.contains(.damaged) {
            if input.isNamed { summary.faults.insert(.unsupported) }
            report(.unsupportedFormat, advice(on: format, name: input.name, isInGzip: source.format == .gzip))
        }
        let isEmpty = beginning.sample.isEmpty && summary.faults.isEmpty
        if isEmpty && (input.isNamed || input.hasNameOfLog) {
            report(.unsupportedFormat, input == .standardInput ? ProblemWording.emptyPipe : ProblemWording.empty)
        }
        end(of: input)
    }

    private mutating func frame(
        _ source: inout SourceBytes<some ChunkFeed>, _ beginning: borrowing SourceBeginning,
        _ framer: consuming some Framer & ~Copyable
    ) {
        let sample = beginning.sample.text
        var start = 0
        for (index, end) in (beginning.gaps + [sample.count]).enumerated() {
            if index > 0 { framer.resume(&self) }
            // In chunks, as the rest is: what is short is cut the way long inputs are.
            while start < end {
                let next = min(start + options.chunkBytes, end)
                let bytes = sample.cut(start..<next)
                current.unread.search(bytes)
                unsafe framer.consume(bytes.buffer, &self)
                start = next
            }
        }
        while let chunk = source.next() {
            if chunk.followsGap, !chunk.losesNothing { framer.resume(&self) }
            current.unread.search(unsafe RawText(chunk.bytes))
            unsafe framer.consume(chunk.bytes, &self)
        }
        framer.finish(isDamaged: source.isCutShort, &self)
    }

    private mutating func finish(_ source: borrowing SourceBytes<some ChunkFeed>) {
        summary.bytesRead = source.bytesRead
        summary.bytesDecompressed = source.bytesDecompressed
        if let damage = source.verifier.firstDamage {
            summary.faults.insert(.damaged)
            report(ProblemWording.kind(of: damage), ProblemWording.damage(damage), byteOffset: damage.offset)
            summary.problems.drop(source.verifier.furtherDamage)
        }
        if let error = source.readError {
            summary.faults.insert(.readError)
            report(.unreadable, ProblemWording.readFailed(error))
        }
    }
}
