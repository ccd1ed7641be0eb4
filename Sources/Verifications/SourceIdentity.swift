/// The identity of a source, regardless of its name and compression.
package struct SourceIdentity: Hashable, Sendable {
    /// CRC-32 of its bytes, after decompression.
    package var checksum: UInt32 = 0
    /// Hashes of the first 64, 128, 256 and so on of them, up to 65,536: what is damaged further on begins as the whole
    /// of it does.
    package var beginnings: [UInt64] = []

    package init() {}
}
