internal import Glibc

/// Finds the next member of a gzip stream behind damage.
///
/// The three bytes that every member starts with may stand in any compressed data by chance. A place counts as a
/// member only when it has a header that RFC 1952 allows and DEFLATE data behind it that libz can begin to inflate.
final class MemberSearch {
    /// How many compressed bytes of a member are tried, and how many plain ones: enough for a wrong guess to show, and
    /// little enough that a hostile file full of headers costs no more than one that inflates well.
    private static let trialBytes = 2 << 10
    private static let trialOutput = 16 << 10
    /// No tool writes longer headers: they hold a file's name, sometimes a comment.
    private static let longestHeader = 1 << 10

    private var inflater = Inflater()
    private let scratch = PlainChunk(capacity: trialOutput)

    /// Moves the input on to the next member's header.
    ///
    /// - Parameters:
    ///   - input: Where to search.
    ///   - limit: Members that start at this offset or behind it need not be found.
    /// - Returns: False when there is none; the input is at its end then, or behind the limit.
    func next(in input: InputBuffer, before limit: Int = .max) -> Bool {
        while input.offset < limit {
            input.ensure(4)
            let bytes = unsafe input.available
            guard bytes.count >= 4 else {
                input.skip(bytes.count)
                return false
            }
            guard let start = unsafe MemberSearch.firstMagic(in: bytes) else {
                // The last three bytes may be the beginning of what is looked for.
                input.skip(bytes.count - 3)
                continue
            }
            input.skip(start)
            if isMember(input) { return true }
            input.skip(1)
        }
        return false
    }

    /// Tries the member at the input's position, with as many bytes in front of its method, and comes back to it.
    func isMember(_ input: InputBuffer, magicBytes: Int = 2) -> Bool {
        let start = input.offset
        defer { input.rewind(to: start) }
        let header = GzipHeader.read(from: input, limit: MemberSearch.longestHeader, magicBytes: magicBytes)
        guard case .complete = header else { return false }
        input.ensure(MemberSearch.trialBytes)
        var rest = unsafe UnsafeBufferPointer(rebasing: input.available.prefix(MemberSearch.trialBytes))
        inflater.reset()
        scratch.recycle()
        while !scratch.isFull {
            let (taken, written, step) = unsafe inflater.inflate(from: rest, into: scratch.room)
            scratch.commit(written)
            unsafe rest = UnsafeBufferPointer(rebasing: rest[taken...])
            switch step {
            case .finished: return true
            case .corrupt: return false
            case .more: if taken == 0 && written == 0 { return scratch.count > 0 }
            }
        }
        return true
    }

    /// Where `1F 8B 08`, followed by flags of which none is reserved, stands first with four bytes to look at.
    private static func firstMagic(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var start = 0
        while start + 4 <= bytes.count {
            // Safe: memchr reads up to three bytes before the end and returns a place among those.
            guard let place = unsafe memchr(base + start, 0x1F, bytes.count - 3 - start) else { return nil }
            start = unsafe UnsafeRawPointer(place) - UnsafeRawPointer(base)
            // Safe: start + 3 < bytes.count.
            if unsafe base[start + 1] == 0x8B, unsafe base[start + 2] == 8, unsafe base[start + 3] & 0xE0 == 0 {
                return start
            }
            start += 1
        }
        return nil
    }
}
