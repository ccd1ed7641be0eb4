internal import CByteMask
internal import Glibc

/// What was seen in a record while its end was looked for.
struct LineSigns: OptionSet {
    let rawValue: UInt8

    /// One of the spellings of ``Marker``.
    static let marker = LineSigns(rawValue: 1)
    /// An escape that could spell a character of a marker.
    static let escape = LineSigns(rawValue: 2)
    /// `%2Fstderr`, the end of the name of generation 2's standard-error log.
    static let errorStream = LineSigns(rawValue: 4)
}

extension LineSigns {
    /// The signs in bytes that have slack behind them.
    init(in bytes: UnsafeBufferPointer<UInt8>) {
        self = []
        guard let base = bytes.baseAddress else { return }
        var block = 0
        while block < bytes.count {
            // Safe: slack behind the bytes allows a whole block, and what it looks ahead, to be loaded.
            let found = unsafe CByteMask_signs(base + block)
            var places = found.marker | found.escape | found.errorStream
            if bytes.count - block < 64 { places &= (1 << UInt64(bytes.count - block)) - 1 }
            while places != 0 {
                let index = block + places.trailingZeroBitCount
                places &= places - 1
                unsafe formUnion(LineSigns.sign(in: base, at: index, from: 0, to: bytes.count))
            }
            block += 64
        }
    }

    /// What the candidate at `index` is; it lies in a record that starts at `start`, in bytes that end at `end`.
    @inline(__always)
    static func sign(in base: UnsafePointer<UInt8>, at index: Int, from start: Int, to end: Int) -> LineSigns {
        // Safe: callers pass an index in the bytes, and each test checks how far it reads.
        switch unsafe base[index] {
        case UInt8(ascii: "v"):
            return unsafe Marker.stands(in: base, at: index, notBefore: start, end: end) ? .marker : []
        case UInt8(ascii: "\\"):
            return unsafe Marker.canBeSpelled(by: base, at: index, end: end) ? .escape : []
        case UInt8(ascii: "%"):
            let name: StaticString = "%2Fstderr"
            guard index + name.utf8CodeUnitCount <= end else { return [] }
            return unsafe memcmp(base + index, name.utf8Start, name.utf8CodeUnitCount) == 0 ? .errorStream : []
        default:
            return []
        }
    }
}
