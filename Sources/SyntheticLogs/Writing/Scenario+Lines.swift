extension Scenario {
    /// Writes the scenario as newline-delimited JSON, in chunks of about a megabyte.
    ///
    /// ```swift
    /// let truth = try scenario.writeLines { _, chunk in file.append(contentsOf: chunk) }
    /// ```
    ///
    /// - Parameters:
    ///   - shards: The number of parts to which the entries are dealt, by their `insertId`; an hour of a log is
    ///     several objects in a bucket, too.
    ///   - output: Takes the number of a part, from 0, and the next bytes of it: whole lines.
    /// - Returns: The exact counts of what was written.
    /// - Throws: What `output` throws.
    public func writeLines(
        shards: Int = 1, to output: @escaping (_ shard: Int, _ chunk: [UInt8]) throws -> Void
    ) throws -> Truth {
        let generator = Generator(self)
        var sink = LineSink(deployments: generator.deployments, shards: shards, output: output)
        var truth = try generator.run(into: &sink)
        try sink.finish()
        truth.bytes = sink.bytes
        return truth
    }
}

/// Writes entries as lines and hands them out in chunks.
private struct LineSink: EntrySink {
    private static let chunkSize = 1 << 20

    private let writer: LineWriter
    private let output: (Int, [UInt8]) throws -> Void
    private var chunks: [[UInt8]]
    /// All bytes handed out so far.
    private(set) var bytes = 0

    init(deployments: [Deployment], shards: Int, output: @escaping (Int, [UInt8]) throws -> Void) {
        writer = LineWriter(deployments: deployments)
        self.output = output
        chunks = Array(repeating: [], count: shards)
    }

    mutating func write(_ entry: LogEntry) throws {
        let shard = Int(entry.insertID.low % UInt64(chunks.count))
        writer.append(entry, to: &chunks[shard])
        if chunks[shard].count >= LineSink.chunkSize { try hand(shard) }
    }

    mutating func finish() throws {
        for shard in chunks.indices where !chunks[shard].isEmpty { try hand(shard) }
    }

    private mutating func hand(_ shard: Int) throws {
        bytes += chunks[shard].count
        try output(shard, chunks[shard])
        chunks[shard].removeAll(keepingCapacity: true)
    }
}
