internal import Verifications

/// Receives the records of whole sources, and keeps what was read of each.
protocol SourceHandler: RecordHandler {
    /// The source being read.
    var source: String { get }
    /// What was read of it.
    var summary: InputSummary { get set }
    /// Prepares for a source.
    mutating func begin(_ source: String)
    /// Prepares for the records of the source.
    mutating func begin(_ container: Container, _ sample: Sample)
    /// What to say of a source that cannot be read.
    func advice(on format: UnusableFormat, name: String) -> String
}

/// Opens a source, decompresses it, recognises how its records are put together, and hands them to a handler.
struct SourceScanner {
    let options: ScanOptions

    /// Reads one source to its end.
    ///
    /// - Parameters:
    ///   - input: The source.
    ///   - isPipelined: True to decompress on a thread of its own.
    ///   - progress: Counts the bytes that are read.
    ///   - reader: Receives the records; its summary says what was read.
    func scan(
        _ input: LogInput, isPipelined: Bool, progress: ReadProgress, into reader: inout some SourceHandler
    ) {
        reader.begin(input.name)
        switch input.open() {
        case .failure(let error):
            reader.summary.faults.insert(.unopened)
            report(.unreadable, ProblemWording.unreadable(error.number), &reader)
        case .success(let opened):
            reader.summary.sources = 1
            let buffer = InputBuffer(
                descriptor: opened.descriptor, beginning: opened.beginning, capacity: options.chunkBytes,
                progress: progress)
            let decompressor = Decompressor(buffer, isNamedGzip: input.hasNameOfGzip)
            if isPipelined {
                read(PipelinedFeed(decompressor, chunkBytes: options.chunkBytes), of: input, &reader)
            } else {
                read(InlineFeed(decompressor, chunkBytes: options.chunkBytes), of: input, &reader)
            }
        }
    }

    private func read(_ feed: some ChunkFeed, of input: LogInput, _ reader: inout some SourceHandler) {
        var source = SourceBytes(feed)
        let beginning = source.beginning(atLeast: Container.sampleBytes)
        let sample = unsafe Sample(beginningOf: beginning.sample.bytes)
        let container = Container.recognise(sample)
        reader.begin(container, sample)
        let limit = options.maxRecordBytes
        switch container {
        case .lines, .counts, .console, .functionsLog: frame(source, beginning, LineFramer(limit: limit), &reader)
        case .values: frame(source, beginning, ValueFramer(limit: limit), &reader)
        case .valuesAmongText: frame(source, beginning, ValueFramer(limit: limit, isAmongText: true), &reader)
        case .unsupported(let format):
            guard input.isNamed || input.hasNameOfLog || format.mayBeLog else {
                // Nothing suggests that it is a log: it is ignored.
                reader.summary = InputSummary()
                return
            }
            source.skipRest()
            finish(source, &reader)
            // Damaged bytes say nothing about the format of the source.
            if format == .unknown, reader.summary.faults.contains(.damaged) { return }
            if input.isNamed { reader.summary.faults.insert(.unsupported) }
            report(.unsupportedFormat, reader.advice(on: format, name: input.name), &reader)
        }
        let isEmpty = beginning.sample.isEmpty && reader.summary.faults.isEmpty
        if isEmpty && input.isNamed && input != .standardInput {
            report(.unsupportedFormat, ProblemWording.empty, &reader)
        }
    }

    private func frame(
        _ source: consuming SourceBytes<some ChunkFeed>, _ beginning: borrowing SourceBeginning,
        _ framer: consuming some Framer & ~Copyable, _ reader: inout some SourceHandler
    ) {
        let sample = unsafe beginning.sample.bytes
        var start = 0
        for (index, end) in (beginning.gaps + [sample.count]).enumerated() {
            if index > 0 { framer.resume(&reader) }
            // In chunks, as the rest is: what is short is cut the way long inputs are.
            while start < end {
                let next = min(start + options.chunkBytes, end)
                unsafe framer.consume(UnsafeBufferPointer(rebasing: sample[start..<next]), &reader)
                start = next
            }
        }
        while let chunk = source.next() {
            if chunk.followsGap { framer.resume(&reader) }
            unsafe framer.consume(chunk.bytes, &reader)
        }
        framer.finish(isDamaged: source.isCutShort, &reader)
        finish(source, &reader)
    }

    private func finish(_ source: borrowing SourceBytes<some ChunkFeed>, _ reader: inout some SourceHandler) {
        reader.summary.bytesRead = source.bytesRead
        reader.summary.bytesDecompressed = source.bytesDecompressed
        if let damage = source.verifier.firstDamage {
            reader.summary.faults.insert(.damaged)
            report(ProblemWording.kind(of: damage), ProblemWording.damage(damage), byteOffset: damage.offset, &reader)
            reader.summary.problems.drop(source.verifier.furtherDamage)
        }
        if let error = source.readError {
            reader.summary.faults.insert(.readError)
            report(.unreadable, ProblemWording.readFailed(error), &reader)
        }
    }

    private func report(
        _ kind: Problem.Kind, _ detail: String, byteOffset: Int? = nil, _ reader: inout some SourceHandler
    ) {
        reader.summary.problems.append(
            Problem(source: reader.source, kind: kind, byteOffset: byteOffset, record: nil, detail: detail))
    }
}
