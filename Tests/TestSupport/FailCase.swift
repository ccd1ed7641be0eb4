import Foundation
import Testing

/// An input that broke a fuzzer's claim, from `Tests/Fuzzing/FailCases`.
package struct FailCase: CustomTestStringConvertible, Sendable {
    package let testDescription: String
    package let bytes: [UInt8]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzzing/FailCases").standardizedFileURL

    /// The targets that have found something.
    package static func targets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
            .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
            .map(\.lastPathComponent)
    }

    /// Every input that ever broke a claim of a target, by name, and one that breaks none: the claims are always tried.
    package static func all(of target: String, beside harmless: [UInt8]) throws -> [FailCase] {
        guard try targets().contains(target) else { return [FailCase(testDescription: "harmless", bytes: harmless)] }
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: target), includingPropertiesForKeys: nil)
        let found = try files.sorted { $0.path < $1.path }.map { file in
            FailCase(testDescription: file.lastPathComponent, bytes: Array(try Data(contentsOf: file)))
        }
        return found + [FailCase(testDescription: "harmless", bytes: harmless)]
    }
}
