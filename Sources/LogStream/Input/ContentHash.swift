package import Verifications

/// An unkeyed hash of bytes, regardless of the pieces in which they come.
package struct ContentHash: Sendable {
    private var hash = SipHash(key: .fixed)

    package init() {}

    package mutating func add(_ bytes: ArraySlice<UInt8>) { unsafe bytes.withUnsafeBufferPointer { unsafe add($0) } }

    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) { hash.add(bytesOf: unsafe RawText(bytes)) }

    package var value: UInt64 { hash.finish() }
}

extension HashKey {
    /// The key that a text means.
    package init(phrase: String) {
        let halves = [UInt64(1), 2].map { half in
            var hash = ContentHash()
            hash.add(Array(phrase.utf8)[...])
            return hash.value(of: half)
        }
        self.init(low: halves[0], high: halves[1])
    }

    /// What tells the key from others without giving it away.
    package var check: UInt64 {
        var hash = SipHash(key: self)
        hash.add(word: 0)
        return hash.finish()
    }
}

extension ContentHash {
    fileprivate func value(of half: UInt64) -> UInt64 {
        var hash = hash
        hash.add(word: half)
        return hash.finish()
    }
}
