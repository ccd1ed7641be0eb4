internal import Foundation
internal import Verifications

/// The beginning and the end of a file: tells files without a verification from one another, of which nothing else is
/// known, and there may be thousands.
struct FileSample {
    /// Keyed hash of the two, and of the file's size.
    let hash: UInt64

    private static let length = 1 << 16

    /// - Returns: Nil when the file cannot be read once more.
    init?(of path: String, key: HashKey) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard
            let beginning = try? file.read(upToCount: FileSample.length) ?? Data(), let size = try? file.seekToEnd(),
            (try? file.seek(toOffset: size - min(size, UInt64(FileSample.length)))) != nil,
            let end = try? file.readToEnd() ?? Data()
        else { return nil }
        var hash = RowDigest.mixed(key.low ^ size)
        for byte in beginning + end { hash = RowDigest.mixed(hash ^ key.high ^ UInt64(byte)) }
        self.hash = hash
    }
}
