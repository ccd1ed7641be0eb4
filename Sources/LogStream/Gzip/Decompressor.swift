internal import Platform

/// Turns a source's bytes into plain bytes, chunk by chunk, in bounded memory.
///
/// Compression is recognised by content. A gzip source may have any number of members, empty ones among them, and zero
/// bytes between and after them. All that comes before damage is handed out; after it, reading goes on with the next
/// member that can be found.
final class Decompressor {
    private enum State {
        case start
        case plain
        case memberHeader
        case inflating
        case trailer
        case betweenMembers
        case lost
        case ended
    }

    private let input: InputBuffer
    /// True when the source's name says that it is gzip, which decides where its bytes are no text.
    private let isNamedGzip: Bool
    private var inflater = Inflater()
    private var state = State.start
    private var format = CompressionFormat.gzip
    private var memberStart = 0
    private var isCompressed = false
    private var lastMember = 0
    private lazy var search = MemberSearch()
    private var reread = 0
    private var isAfterGap = false
    /// The place where garbage begins after a whole member; nil after other damage.
    private var garbage: Int?

    init(_ input: InputBuffer, isNamedGzip: Bool = false) {
        (self.input, self.isNamedGzip) = (input, isNamedGzip)
    }

    /// Fills a recycled chunk, to its brim unless the source ends, has very many members, or has lost bytes.
    func fill(_ chunk: PlainChunk) {
        chunk.followsGap = isAfterGap
        chunk.losesNothing = isAfterGap && garbage.map { input.offset >= $0 } ?? false
        isAfterGap = false
        // A trailer right after a full chunk belongs to it: its checksum covers these bytes.
        while state == .trailer || (state != .ended && !chunk.isFull && !isAfterGap) {
            switch state {
            case .start: recognise(chunk)
            case .plain: copy(into: chunk)
            case .memberHeader: readHeader(chunk)
            case .inflating: inflate(into: chunk)
            case .trailer: readTrailer(chunk)
            case .betweenMembers: skipPadding(chunk)
            case .lost: findMember()
            case .ended: break
            }
            // Plain bytes that came before the error are handed out first.
            if let error = input.readError, unsafe state != .plain || input.available.isEmpty {
                chunk.readError = error
                state = .ended
            }
        }
        chunk.isLast = state == .ended
        chunk.sourceBytes = input.offset
        chunk.format = isCompressed ? format : nil
    }

    private func recognise(_ chunk: PlainChunk) {
        input.ensure(2)
        let first = input.peek(0)
        let second = input.peek(1)
        if startsMember() {
            isCompressed = true
            format = .gzip
            state = .memberHeader
        } else if let first, let second, ZlibHeader.isHeader(first, second) {
            isCompressed = true
            format = .zlib
            input.skip(2)
            state = .inflating
        } else if DamagedGzipStart(input: input, isNamedGzip: isNamedGzip).isGzip() {
            isCompressed = true
            format = .gzip
            lose(.badHeader, chunk)
        } else {
            state = .plain
        }
    }

    /// True when the next bytes, of which two have been asked for, are those of a gzip member: a source that ends
    /// after the first of them was cut there.
    private func startsMember() -> Bool { input.peek(0) == 0x1F && input.peek(1) ?? 0x8B == 0x8B }

    private func copy(into chunk: PlainChunk) {
        let count = unsafe input.read(into: chunk.room)
        chunk.commit(count)
        if count == 0 { state = .ended }
    }

    private func readHeader(_ chunk: PlainChunk) {
        memberStart = input.offset
        lastMember = memberStart
        switch GzipHeader.read(from: input) {
        case .complete(let isIntact):
            if !isIntact { damage(.checksumMismatch, chunk) }
            inflater.reset()
            state = .inflating
        case .notGzip:
            lose(memberStart == 0 ? .badHeader : .trailingGarbage, chunk)
        case .truncated:
            lose(.truncated, chunk)
        }
    }

    private func inflate(into chunk: PlainChunk) {
        if unsafe input.available.isEmpty { input.refill() }
        let available = unsafe input.available
        let isAtEnd = available.isEmpty
        let (taken, written, step) = unsafe inflater.inflate(from: available, into: chunk.room)
        input.skip(taken)
        chunk.commit(written)
        switch step {
        case .finished: state = .trailer
        case .corrupt: lose(.corrupt, chunk)
        // libz may still hold output when there is no more input; only a call without any progress is the end.
        case .more: if isAtEnd && written == 0 { lose(.truncated, chunk) }
        }
    }

    private func readTrailer(_ chunk: PlainChunk) {
        let size = format == .gzip ? 8 : 4
        input.ensure(size)
        guard unsafe input.available.count >= size else {
            unsafe input.skip(input.available.count)
            return lose(.truncated, chunk)
        }
        let bytes = (0..<size).map { UInt32(input.peek($0) ?? 0) }
        input.skip(size)
        func littleEndian(_ at: Int) -> UInt32 {
            bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24
        }
        chunk.memberEnds.append(
            PlainChunk.MemberEnd(
                offset: chunk.count, checksum: format == .gzip ? littleEndian(0) : littleEndian(0).byteSwapped,
                length: format == .gzip ? littleEndian(4) : nil, memberStart: memberStart))
        state = .betweenMembers
    }

    private func skipPadding(_ chunk: PlainChunk) {
        input.ensure(2)
        guard let byte = input.peek(0) else { return state = .ended }
        if byte == 0 {
            input.skipZeros()
        } else if format == .gzip, startsMember() {
            state = .memberHeader
        } else {
            memberStart = input.offset
            lose(.trailingGarbage, chunk)
        }
    }

    private func lose(_ kind: StreamDamage.Kind, _ chunk: PlainChunk) {
        damage(kind, chunk)
        garbage = kind == .trailingGarbage ? memberStart : nil
        // A zlib stream is all there is.
        state = format == .gzip ? .lost : .ended
    }

    /// Looks for a member after damage.
    ///
    /// Damage is noticed late: a member that was cut off is inflated into the one after it, may even seem to end
    /// there, and only what follows makes no sense. So the search begins right after the first byte of the member that
    /// was given up, as far back as the input remembers. It does not when as much was read again as the source is long:
    /// a hostile one could otherwise be made of members that all lead to the same damage.
    private func findMember() {
        // Nothing was taken from a source that is damaged from its first byte on.
        let start = min(max(lastMember + 1, input.oldestOffset), input.offset)
        let distance = input.offset - start
        if reread + distance <= input.offset + InputBuffer.history {
            reread += distance
            input.rewind(to: start)
        }
        guard search.next(in: input) else { return state = .ended }
        isAfterGap = true
        state = .memberHeader
    }

    private func damage(_ kind: StreamDamage.Kind, _ chunk: PlainChunk) {
        // A source that could not be read on is not to blame for its missing end.
        guard input.readError == nil else { return }
        chunk.damage.append(
            StreamDamage(kind: kind, format: format, offset: memberStart, noticedAt: input.offset))
    }
}
