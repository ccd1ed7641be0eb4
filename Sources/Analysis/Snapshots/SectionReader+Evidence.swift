internal import LogStream
internal import Verifications

/// What stands next to verifications: app versions, rows, and lines.
extension SectionReader {
    private static let bytesOfVersions = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+".utf8)

    mutating func readEvidence(
        into sink: inout some SectionSink, _ rest: inout Remainder
    ) throws(SnapshotFault) {
        rest.givenUpThrough = try readDays().last
        for _ in 0..<(try bytes.readCount(bytesEach: 7)) {
            let hash = try bytes.readWord(bytes: 4)
            guard hash > 0, hash <= ClientVersions.hashMask else { throw .damaged }
            let version = ClientVersion(app: try readText(), version: try readText(), os: try readText())
            // As a user agent spells them: they are shown as they are.
            let isPlain = [version.app, version.version, version.os].allSatisfy { text in
                text.utf8.allSatisfy { SectionReader.bytesOfVersions.contains($0) }
            }
            guard isPlain else { throw .damaged }
            rest.versions.add(version, hash: hash)
        }
        for _ in 0..<(try bytes.readCount(bytesEach: 10)) {
            let service = try bytes.readWord()
            for _ in 0..<(try bytes.readCount(bytesEach: 18)) { sink.add(try readRow(of: service)) }
            for _ in 0..<(try bytes.readCount(bytesEach: 22)) {
                let key = try bytes.readWord()
                let (second, third) = (try bytes.readWord(), try bytes.readWord(bytes: 6))
                guard let line = PackedLine.line(service: service, key: key, second: second, third: third) else {
                    throw .damaged
                }
                sink.add(line)
            }
        }
    }

    private mutating func readRow(of service: UInt64) throws(SnapshotFault) -> RequestRow {
        let request = RequestKey(word: try bytes.readWord())
        let dayAndVersion = try bytes.readWord(bytes: 6)
        let rest = try bytes.readWord(bytes: 4)
        guard dayAndVersion >> 46 == 0, rest >> 31 == 0, let client = ClientKind(rawValue: UInt8(rest >> 2 & 15)),
            let answer = RequestRow.Answer(rawValue: UInt8(rest & 3))
        else { throw .damaged }
        return RequestRow(
            service: service, instant: Instant(day: Day(number: Int32(dayAndVersion >> 30)), nanosecondOfDay: 0),
            answer: answer, request: request, fingerprint: (rest >> 6) << 39, client: client,
            version: dayAndVersion & ClientVersions.hashMask, address: 0)
    }
}
