package import Verifications

/// SipHash-1-3, a 64-bit hash that cannot be steered by someone who does not know its key.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), with one compression and three
/// finalisation rounds, as Swift's and Rust's hash tables use it. Written here because the key must be ours: the
/// standard library draws its own in every process, and a store has to keep one.
struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// Bytes that do not fill a word yet, the first in the lowest byte.
    private var tail: UInt64 = 0
    private var count: UInt64 = 0

    init(key: HashKey) {
        v0 = key.low ^ 0x736f_6d65_7073_6575
        v1 = key.high ^ 0x646f_7261_6e64_6f6d
        v2 = key.low ^ 0x6c79_6765_6e65_7261
        v3 = key.high ^ 0x7465_6462_7974_6573
    }

    /// Adds a text and its length, so that texts in a row cannot run into one another.
    mutating func add(_ text: RawText) {
        add(bytesOf: text)
        add(word: UInt64(text.count))
    }

    /// Adds bytes alone: the hash of a stream does not depend on how it was cut into pieces.
    @inline(__always)
    mutating func add(bytesOf text: RawText) {
        // A copy stays in registers; of `self` the compiler cannot know that the text does not lie in it.
        var hash = self
        let rest = text.count & 7
        var index = 0
        // Safe: all loads lie inside the text's `count` bytes.
        while index < text.count - rest {
            hash.add(word: unsafe SipHash.word(at: text.start + index))
            index += 8
        }
        if rest > 0 {
            if text.count > 8 {
                let last = unsafe SipHash.word(at: text.start + (text.count - 8))
                hash.add(last &>> UInt64(64 - rest * 8), bytes: UInt64(rest))
            } else {
                var last: UInt64 = 0
                while index < text.count {
                    last |= UInt64(unsafe text.start[index]) &<< UInt64(index * 8)
                    index += 1
                }
                hash.add(last, bytes: UInt64(rest))
            }
        }
        self = hash
    }

    @inline(__always)
    mutating func add(word: UInt64) {
        let filled = (count & 7) * 8
        compress(tail | word &<< filled)
        // Two shifts, because one by all 64 bits would be none when nothing is filled.
        tail = (word &>> 1) &>> (63 - filled)
        count &+= 8
    }

    /// Adds one to seven bytes, the first in the lowest byte of `word`; its other bytes are zero.
    @inline(__always)
    private mutating func add(_ word: UInt64, bytes: UInt64) {
        let filled = (count & 7) * 8
        tail |= word &<< filled
        count &+= bytes
        guard filled + bytes * 8 >= 64 else { return }
        compress(tail)
        tail = word &>> (64 - filled)
    }

    @inline(__always)
    private static func word(at place: UnsafePointer<UInt8>) -> UInt64 {
        // Safe: callers pass a place with eight bytes after it.
        UInt64(littleEndian: unsafe UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
    }

    consuming func finish() -> UInt64 {
        compress(tail | count << 56)
        v2 ^= 0xff
        for _ in 0..<3 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    @inline(__always)
    private mutating func compress(_ word: UInt64) {
        v3 ^= word
        round()
        v0 ^= word
    }

    @inline(__always)
    private mutating func round() {
        v0 = v0 &+ v1
        v1 = v1 << 13 | v1 >> 51
        v1 ^= v0
        v0 = v0 << 32 | v0 >> 32
        v2 = v2 &+ v3
        v3 = v3 << 16 | v3 >> 48
        v3 ^= v2
        v0 = v0 &+ v3
        v3 = v3 << 21 | v3 >> 43
        v3 ^= v0
        v2 = v2 &+ v1
        v1 = v1 << 17 | v1 >> 47
        v1 ^= v2
        v2 = v2 << 32 | v2 >> 32
    }
}

extension RawText {
    /// Keyed hash of a whole record; it shares no values with the hashes of what tells entries apart.
    func hash(_ key: HashKey) -> UInt64 {
        var hash = SipHash(key: key)
        hash.add(word: .max)
        hash.add(self)
        return hash.finish()
    }
}

extension HashKey {
    /// The key that is not secret: for hashes that must be the same in every run.
    static let fixed = HashKey(low: 0, high: 0)

    /// The key that a text means.
    package init(phrase: String) {
        let bytes = Array(phrase.utf8)
        let halves = [UInt64(1), 2].map { half in
            var hash = SipHash(key: .fixed)
            unsafe bytes.withUnsafeBufferPointer { hash.add(bytesOf: unsafe RawText($0)) }
            hash.add(word: half)
            return hash.finish()
        }
        self.init(low: halves[0], high: halves[1])
    }

    /// A value that tells the key from others without giving it away.
    package var check: UInt64 {
        var hash = SipHash(key: self)
        hash.add(word: 0)
        return hash.finish()
    }
}
