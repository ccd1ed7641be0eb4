import Platform
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What a file alone cannot show: memory in the face of hostile members, and reading that fails half-way.
@Suite struct DecompressorTests {
    /// Members without content never fill a chunk; what is kept of each must not pile up.
    @Test func emptyMembersDoNotPileUp() throws {
        let empty = Gzip.member([])
        let source =
            Array(repeatElement(empty, count: 30_000).joined()) + Gzip.member(Array("{\"insertId\":\"1\"}\n".utf8))
        let file = try MemoryFile(source)
        let descriptor = try withExtendedLifetime(file) { try LogInput.file(file.path).open().get().descriptor }
        let input = InputBuffer(descriptor: descriptor, capacity: 1 << 16, progress: ReadProgress())
        let decompressor = Decompressor(input)
        let chunk = PlainChunk(capacity: 1 << 16)
        var members = 0
        var plain = 0
        repeat {
            chunk.recycle()
            decompressor.fill(chunk)
            #expect(chunk.memberEnds.count <= PlainChunk.memberLimit)
            members += chunk.memberEnds.count
            plain += chunk.count
        } while !chunk.isLast
        #expect(members == 30_001)
        #expect(plain == 17)
        #expect(input.offset == source.count)
        let scan = try Scan.bytes(source)
        #expect(scan.summary.records == 1)
        #expect(scan.kinds == [])
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
