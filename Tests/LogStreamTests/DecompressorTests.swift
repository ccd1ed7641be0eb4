import Platform
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What a file alone cannot show: reading that fails half-way.
@Suite struct DecompressorTests {
    /// Members without content never fill a chunk; that what is kept of each does not pile up, `HugeInputs` measures.
    @Test func emptyMembers() throws {
        let empty = Array(repeatElement(Gzip.member([]), count: 30_000).joined())
        let scan = try Scan.bytes(empty + Gzip.member(Array("{\"insertId\":\"1\"}\n".utf8)))
        #expect(scan.summary.records == 1 && scan.kinds == [])
    }

    /// A source whose reading fails is not to blame for its missing end: the failure is reported, not the damage.
    @Test(arguments: [0, 4, 8])
    func readingFailsInTheTrailer(missing: Int) throws {
        let plain = Array("{}\n{}\n".utf8)
        let member = Gzip.member(plain, level: 0)
        for capacity in [plain.count, plain.count - 1, plain.count + 1, 1] {
            let descriptor = try failingDescriptor(after: Array(member.dropLast(missing)))
            let input = InputBuffer(descriptor: descriptor, capacity: 1 << 16, progress: ReadProgress())
            let decompressor = Decompressor(input)
            let chunk = PlainChunk(capacity: capacity)
            var bytes: [UInt8] = []
            var damage = 0
            repeat {
                chunk.recycle()
                decompressor.fill(chunk)
                bytes += unsafe Array(chunk.bytes)
                damage += chunk.damage.count
            } while !chunk.isLast
            #expect(bytes == plain)
            #expect(chunk.readError == ECONNRESET, "chunks of \(capacity)")
            #expect(damage == 0)
        }
    }

    @Test func readingFailsInPlainBytes() throws {
        let input = InputBuffer(
            descriptor: try failingDescriptor(after: Array("{}\n".utf8)), capacity: 16, progress: ReadProgress())
        let decompressor = Decompressor(input)
        let chunk = PlainChunk(capacity: 100)
        decompressor.fill(chunk)
        #expect(chunk.count == 3)
        #expect(chunk.isLast)
        #expect(chunk.readError == ECONNRESET)
    }

    private struct NoSocket: Error {}

    /// A descriptor that gives these bytes and then fails with ECONNRESET: the other end of a pair of sockets was
    /// closed with bytes unread in it.
    private func failingDescriptor(after bytes: [UInt8]) throws -> Int32 {
        var ends: [Int32] = [0, 0]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw NoSocket() }
        guard unsafe write(ends[0], bytes, 1) == 1, unsafe write(ends[1], bytes, bytes.count) == bytes.count else {
            throw NoSocket()
        }
        close(ends[1])
        return ends[0]
    }
}
