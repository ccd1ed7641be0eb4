internal import CZlib

/// Columns of values that repeat, deflated: libz's fastest level, in its own wrapper.
package enum Deflate {
    package static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        // Safe: libz writes no more than the length that it is given, and says how much it wrote.
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { room, count in
            let status = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe compress2(room.baseAddress, &length, bytes.baseAddress, uLong(bytes.count), Z_BEST_SPEED)
            }
            precondition(status == Z_OK, "libz has no memory")
            count = Int(length)
        }
    }

    /// Nil unless the bytes unpack to exactly this many.
    package static func unpacked(_ bytes: ArraySlice<UInt8>, count wanted: Int) -> [UInt8]? {
        var (length, isWhole) = (uLong(wanted), false)
        // Safe: libz writes no more than the length that it is given, and says how much it wrote.
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: max(1, wanted)) { room, count in
            let status = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe uncompress(room.baseAddress, &length, bytes.baseAddress, uLong(bytes.count))
            }
            (isWhole, count) = (status == Z_OK && Int(length) == wanted, status == Z_OK ? Int(length) : 0)
        }
        return isWhole ? unpacked : nil
    }
}
