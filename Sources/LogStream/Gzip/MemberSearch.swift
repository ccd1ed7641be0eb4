internal import Platform

/// Finds the next member of a gzip stream after damage.
///
/// The three bytes that every member starts with may be in any compressed data by chance. A place counts as a
/// member only when it has a header that RFC 1952 allows and DEFLATE data after it that libz can begin to inflate.
final class MemberSearch {
    /// The number of compressed bytes of a member that are tried, and of plain ones: enough for a wrong guess to show,
    /// and little enough that a hostile file full of headers costs no more than one that inflates well.
    private static let trialBytes = 2 << 10
    private static let trialOutput = 16 << 10
    /// No tool writes longer headers: they hold a file's name, sometimes a comment.
    private static let longestHeader = 1 << 10

    private var inflater = Inflater()
    private let scratch = PlainChunk(capacity: trialOutput)

    /// Moves the input on to the next member's header; false when none starts before the limit.
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

    /// Tries the member at the input's position, with as many bytes before its method, and comes back to it.
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

    /// Returns the first place with four bytes where `1F 8B 08` is followed by flags of which none is reserved.
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

/// Tells a gzip source with a damaged beginning from one that is not gzip.
///
/// Nothing but its first two bytes says that a source is gzip. Without them there has to be evidence, as a plain log
/// must never be taken for a damaged one:
///
/// ```
/// 1F 8B 08 00 …  DEFLATE     as it is written
/// 9F 8B 08 00 …  DEFLATE     one or both bytes changed ┐
///    8B 08 00 …  DEFLATE     one or both dropped       ├ the rest of a header that RFC 1952 allows, and data after it
/// 1F 8B 8B 08 00 …  DEFLATE  one doubled               ┘ that can be inflated
/// 00 00 00 00 … 1F 8B 08 …   no text, no other format that is known, but a member in it, or a name that ends in .gz
/// ```
struct DamagedGzipStart {
    /// How much of the source may be looked at: as much as is needed to recognise what is in it anyway.
    private static let sampleBytes = Container.sampleBytes
    private static let textBytes = 512

    let input: InputBuffer
    /// True when the source's name says that it is gzip.
    let isNamedGzip: Bool

    /// True when the source, of which nothing has been taken, is gzip for all that its first bytes say.
    func isGzip() -> Bool {
        input.ensure(DamagedGzipStart.textBytes)
        // The two magic bytes are none to three now.
        let methods = (0...3).filter { input.peek($0) == 8 }
        guard !methods.isEmpty || !isText else { return false }
        let search = MemberSearch()
        if methods.contains(where: { search.isMember(input, magicBytes: $0) }) { return true }
        guard !isText else { return false }
        input.ensure(DamagedGzipStart.sampleBytes)
        var sample = ByteCollector()
        unsafe sample.append(UnsafeBufferPointer(rebasing: input.available.prefix(DamagedGzipStart.sampleBytes)))
        guard UnusableFormat(startOf: unsafe Sample(beginningOf: sample.bytes)) == nil else { return false }
        return isNamedGzip || holdsMember(search)
    }

    /// True when there are next to no controls among the first bytes: of compressed ones they are a tenth.
    private var isText: Bool {
        let bytes = unsafe input.available.prefix(DamagedGzipStart.textBytes)
        let controls = unsafe bytes.count { $0 < 0x20 && !DamagedGzipStart.controlsOfText.contains($0) }
        return unsafe controls * 32 <= bytes.count
    }

    /// Backspace to carriage return, and escape.
    private static let controlsOfText: Set<UInt8> = [0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B]

    private func holdsMember(_ search: MemberSearch) -> Bool {
        let start = input.offset
        defer { input.rewind(to: start) }
        return search.next(in: input, before: start + DamagedGzipStart.sampleBytes)
    }
}
