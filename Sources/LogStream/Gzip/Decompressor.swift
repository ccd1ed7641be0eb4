internal import Glibc

/// Turns a source's bytes into plain bytes, chunk by chunk, in bounded memory.
///
/// Compression is recognised by content. A gzip source may have any number of members, empty ones among them, and zero
/// bytes between and behind them. Damage ends the stream; all that came before it has been handed out.
final class Decompressor {
    private enum State {
        case start
        case plain
        case memberHeader
        case inflating
        case trailer
        case betweenMembers
        case ended
    }

    private let input: InputBuffer
    private var inflater = Inflater()
    private var state = State.start
    private var wrapper = Wrapper.gzip
    private var memberStart = 0
    private var isCompressed = false

    init(_ input: InputBuffer) {
        self.input = input
    }

    /// Fills a recycled chunk, to its brim unless the source ends or has very many members.
    func fill(_ chunk: PlainChunk) {
        // A trailer right behind a full chunk belongs to it: its check sum covers these bytes.
        while state == .trailer || (state != .ended && !chunk.isFull) {
            switch state {
            case .start: recognise()
            case .plain: copy(into: chunk)
            case .memberHeader: readHeader(chunk)
            case .inflating: inflate(into: chunk)
            case .trailer: readTrailer(chunk)
            case .betweenMembers: skipPadding(chunk)
            case .ended: break
            }
            if let error = input.readError {
                chunk.readError = error
                state = .ended
            }
        }
        chunk.isLast = state == .ended
        chunk.sourceBytes = input.offset
        chunk.wrapper = isCompressed ? wrapper : nil
    }

    private func recognise() {
        input.ensure(2)
        let first = input.peek(0)
        let second = input.peek(1)
        if startsMember() {
            isCompressed = true
            wrapper = .gzip
            state = .memberHeader
        } else if let first, let second, ZlibHeader.isHeader(first, second) {
            isCompressed = true
            wrapper = .zlib
            input.skip(2)
            state = .inflating
        } else {
            state = .plain
        }
    }

    /// True when the next bytes, of which two have been asked for, are those of a gzip member: a source that ends behind
    /// the first of them was cut there.
    private func startsMember() -> Bool {
        input.peek(0) == 0x1F && input.peek(1) ?? 0x8B == 0x8B
    }

    private func copy(into chunk: PlainChunk) {
        let count = unsafe input.read(into: chunk.room)
        chunk.commit(count)
        if count == 0 { state = .ended }
    }

    private func readHeader(_ chunk: PlainChunk) {
        memberStart = input.offset
        switch GzipHeader.read(from: input) {
        case .complete(let isIntact):
            if !isIntact { damage(.checksumMismatch, chunk) }
            inflater.reset()
            state = .inflating
        case .notGzip:
            end(memberStart == 0 ? .corrupt : .trailingGarbage, chunk)
        case .truncated:
            end(.truncated, chunk)
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
        case .corrupt: end(.corrupt, chunk)
        // libz may still hold output when there is no more input; only a call without any progress is the end.
        case .more: if isAtEnd && written == 0 { end(.truncated, chunk) }
        }
    }

    private func readTrailer(_ chunk: PlainChunk) {
        let size = wrapper == .gzip ? 8 : 4
        input.ensure(size)
        guard unsafe input.available.count >= size else {
            unsafe input.skip(input.available.count)
            return end(.truncated, chunk)
        }
        let bytes = (0..<size).map { UInt32(input.peek($0) ?? 0) }
        input.skip(size)
        func littleEndian(_ at: Int) -> UInt32 {
            bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24
        }
        chunk.memberEnds.append(
            PlainChunk.MemberEnd(
                offset: chunk.count, checksum: wrapper == .gzip ? littleEndian(0) : littleEndian(0).byteSwapped,
                length: wrapper == .gzip ? littleEndian(4) : nil, memberStart: memberStart))
        state = .betweenMembers
    }

    private func skipPadding(_ chunk: PlainChunk) {
        input.ensure(2)
        guard let byte = input.peek(0) else { return state = .ended }
        if byte == 0 {
            input.skipZeros()
        } else if wrapper == .gzip, startsMember() {
            state = .memberHeader
        } else {
            memberStart = input.offset
            end(.trailingGarbage, chunk)
        }
    }

    private func end(_ kind: StreamDamage.Kind, _ chunk: PlainChunk) {
        damage(kind, chunk)
        state = .ended
    }

    private func damage(_ kind: StreamDamage.Kind, _ chunk: PlainChunk) {
        // A source that could not be read on is not to blame for its missing end.
        guard input.readError == nil else { return }
        chunk.damage.append(
            StreamDamage(kind: kind, wrapper: wrapper, offset: memberStart, noticedAt: input.offset))
    }
}
