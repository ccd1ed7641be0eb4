import Foundation

/// A checkout of the project, as far as rules about its files go.
struct Repository {
    let root: URL

    /// The one that this file lies in.
    static let this = Repository(
        root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent())

    /// A text file, with its path from the root.
    struct File {
        var path: String
        var text: String

        var name: String { String(path.split(separator: "/").last ?? "") }
    }

    /// Names in a folder, sorted; none where there is no such folder.
    func entries(of folder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []).sorted()
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    func file(_ path: String) throws -> File {
        File(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }

    /// All files below a folder whose names end in one of `endings`; what is hidden (`.build`) is left out.
    func files(below folder: String, endings: [String]) throws -> [File] {
        try paths(below: folder).filter { path in endings.contains { path.hasSuffix($0) } }.map(file)
    }

    /// The paths of all files below a folder, from the root, sorted; what is hidden is left out.
    func paths(below folder: String) -> [String] {
        let place = root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(at: place, includingPropertiesForKeys: [.isRegularFileKey])
        else { return [] }
        var found: [String] = []
        for case let url as URL in walk {
            if url.lastPathComponent.hasPrefix(".") {
                walk.skipDescendants()
            } else if (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true {
                let components = url.pathComponents.dropFirst(place.pathComponents.count)
                found.append(([folder] + components).joined(separator: "/"))
            }
        }
        return found.sorted()
    }
}
