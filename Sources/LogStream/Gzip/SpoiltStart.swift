/// Tells a gzip source whose beginning is damaged from one that is no gzip.
///
/// Nothing but its first two bytes says that a source is gzip. Without them there has to be evidence, as a plain log
/// must never be taken for a damaged one:
///
/// ```
/// 1F 8B 08 00 …  DEFLATE     as it is written
/// 9F 8B 08 00 …  DEFLATE     one or both bytes changed ┐
///    8B 08 00 …  DEFLATE     one or both dropped       ├ the rest of a header that RFC 1952 allows, and data behind it
/// 1F 8B 8B 08 00 …  DEFLATE  one doubled               ┘ that can be inflated
/// 00 00 00 00 … 1F 8B 08 …   no text, no other format that is known, but a member in it, or a name that ends in .gz
/// ```
struct SpoiltStart {
    /// How much of the source may be looked at: as much as is needed to recognise what is in it anyway.
    private static let sampleBytes = Container.sampleBytes
    private static let textBytes = 512

    let input: InputBuffer
    /// True when the source's name says that it is gzip.
    let isNamedGzip: Bool

    /// True when the source, of which nothing has been taken, is gzip for all that its first bytes say.
    func isGzip() -> Bool {
        input.ensure(SpoiltStart.textBytes)
        // The two magic bytes are none to three now.
        let methods = (0...3).filter { input.peek($0) == 8 }
        guard !methods.isEmpty || !isText else { return false }
        let search = MemberSearch()
        if methods.contains(where: { search.isMember(input, magicBytes: $0) }) { return true }
        guard !isText else { return false }
        input.ensure(SpoiltStart.sampleBytes)
        var sample = ByteCollector()
        unsafe sample.append(UnsafeBufferPointer(rebasing: input.available.prefix(SpoiltStart.sampleBytes)))
        guard UnusableFormat(startOf: unsafe Sample(beginningOf: sample.bytes)) == nil else { return false }
        return isNamedGzip || holdsMember(search)
    }

    /// True when there are next to no controls among the first bytes: of compressed ones they are a tenth.
    private var isText: Bool {
        let bytes = unsafe input.available.prefix(SpoiltStart.textBytes)
        let controls = unsafe bytes.count { $0 < 0x20 && !SpoiltStart.controlsOfText.contains($0) }
        return unsafe controls * 32 <= bytes.count
    }

    /// Backspace to carriage return, and escape.
    private static let controlsOfText: Set<UInt8> = [0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B]

    private func holdsMember(_ search: MemberSearch) -> Bool {
        let start = input.offset
        defer { input.rewind(to: start) }
        return search.next(in: input, before: start + SpoiltStart.sampleBytes)
    }
}
