import Verifications

@testable import LogStream

extension Scan {
    /// Frames and reads plain bytes that come in pieces, without a file around them.
    ///
    /// A whole scan looks at the first 64 KiB before it frames them, so that borders of small chunks would not be seen.
    static func pieces(
        _ pieces: [[UInt8]], container: Container = .lines, isPubSub: Bool = false,
        options: ScanOptions = ScanOptions(), isDamaged: Bool = false
    ) -> Scan {
        var options = options
        options.fingerprintKey = key
        var reader = RecordReader(options: options, sink: RecordingSink())
        reader.current = CurrentSource("log", container, isPubSub: isPubSub)
        let limit = options.maxRecordBytes
        switch container {
        case .lines, .console: frame(pieces, LineFramer(limit: limit, readsValues: true), isDamaged, &reader)
        case .counts, .functionsLog: frame(pieces, LineFramer(limit: limit), isDamaged, &reader)
        case .values, .services: frame(pieces, ValueFramer(limit: limit), isDamaged, &reader)
        case .valuesAmongText: frame(pieces, ValueFramer(limit: limit, isAmongText: true), isDamaged, &reader)
        case .unsupported: break
        }
        return Scan(reader.summary, sink: reader.sink, functions: reader.functions, projects: reader.projects)
    }

    private static func frame(
        _ pieces: [[UInt8]], _ framer: consuming some Framer & ~Copyable, _ isDamaged: Bool,
        _ reader: inout RecordReader<RecordingSink>
    ) {
        for piece in pieces {
            unsafe withSlack(piece) {
                reader.current.unread.search(unsafe RawText($0))
                unsafe framer.consume($0, &reader)
            }
        }
        framer.finish(isDamaged: isDamaged, &reader)
        reader.countUnread()
    }

    /// As a whole scan does: recognises how the bytes are framed, and reads them so, in pieces of one size.
    static func recognised(
        _ bytes: [UInt8], inPiecesOf size: Int = .max, options: ScanOptions = ScanOptions(), isDamaged: Bool = false
    ) -> Scan {
        let (container, isPubSub) = unsafe withSlack(bytes) { bytes in
            let sample = unsafe Sample(beginningOf: bytes)
            return (Container.recognise(sample), PubSub.isIn(sample))
        }
        let size = min(size, max(bytes.count, 1))
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        return Scan.pieces(
            pieces, container: container, isPubSub: isPubSub, options: options, isDamaged: isDamaged)
    }

    /// As ``pieces(_:options:isDamaged:)``, cut into pieces of one size, the last perhaps shorter.
    static func chunks(
        _ bytes: [UInt8], of size: Int, options: ScanOptions = ScanOptions(), isDamaged: Bool = false
    ) -> Scan {
        let starts = stride(from: 0, to: bytes.count, by: size)
        return pieces(
            starts.map { Array(bytes[$0..<min($0 + size, bytes.count)]) }, options: options, isDamaged: isDamaged)
    }
}
