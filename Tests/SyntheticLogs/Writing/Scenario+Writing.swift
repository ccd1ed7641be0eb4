extension Scenario {
    /// Writes the scenario in the shape of a transport, in chunks of about a megabyte.
    ///
    /// ```swift
    /// let truth = try scenario.write(as: .array) { _, chunk in file.append(contentsOf: chunk) }
    /// ```
    ///
    /// - Parameters:
    ///   - transport: How the entries are dressed.
    ///   - shards: The number of parts to which the entries are dealt, by their `insertId`; an hour of a log is
    ///     several objects in a bucket, too. Each part is a whole of the transport.
    ///   - output: Takes the number of a part, from 0, and the next bytes of it; they end between two entries.
    /// - Returns: The exact counts of what was written, as far as the transport carries it.
    /// - Throws: What `output` throws.
    public func write(
        as transport: Transport = .lines, shards: Int = 1,
        to output: @escaping (_ shard: Int, _ chunk: [UInt8]) throws -> Void
    ) throws -> Truth {
        let generator = Generator(self)
        let writers = (0..<shards).map { _ in transport.writer(generator.deployments) }
        var sink = WritingSink(writers: writers, output: output)
        var truth = try generator.run(into: &sink, as: transport)
        try sink.finish()
        truth.bytes = sink.bytes
        truth.records = sink.records
        return truth
    }
}

/// Dresses entries and hands them out in chunks.
private struct WritingSink: EntrySink {
    private static let chunkSize = 1 << 20

    private var writers: [any TransportWriter]
    private let output: (Int, [UInt8]) throws -> Void
    private var chunks: [[UInt8]]
    /// All bytes handed out so far.
    private(set) var bytes = 0
    private(set) var records = 0

    init(writers: [any TransportWriter], output: @escaping (Int, [UInt8]) throws -> Void) {
        self.writers = writers
        self.output = output
        chunks = Array(repeating: [], count: writers.count)
        for shard in writers.indices { self.writers[shard].begin(&chunks[shard]) }
    }

    mutating func write(_ entry: LogEntry) throws {
        let shard = Int(entry.insertID.low % UInt64(chunks.count))
        records += writers[shard].append(entry, to: &chunks[shard])
        if chunks[shard].count >= WritingSink.chunkSize { try hand(shard) }
    }

    mutating func finish() throws {
        for shard in chunks.indices {
            writers[shard].end(&chunks[shard])
            if !chunks[shard].isEmpty { try hand(shard) }
        }
    }

    private mutating func hand(_ shard: Int) throws {
        bytes += chunks[shard].count
        try output(shard, chunks[shard])
        chunks[shard].removeAll(keepingCapacity: true)
    }
}
