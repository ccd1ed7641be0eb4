import Foundation
import TestSupport

/// What the scripts in `Pages` find out about a page.
struct PageCheck: Decodable {
    /// One sentence each.
    var problems: [String]
    /// The heading of each card.
    var headings: [String]?
    /// The content of the page's `Content-Security-Policy`.
    var policy: String?
    /// What the elements of a name hash to.
    var hashes: [String: [String]]?

    /// Parses a page.
    static func ofMarkup(_ page: String) throws -> PageCheck {
        try run("check_markup.py", page, arguments: [])
    }

    /// Opens a page in a browser; `CALLCHECK_PICTURES` names a folder for what it looks like.
    static func inBrowser(_ page: String, functions: Int, name: String) throws -> PageCheck {
        var arguments = [String(functions)]
        if let folder = ProcessInfo.processInfo.environment["CALLCHECK_PICTURES"] {
            let place = "\(folder)/\(name)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            arguments.append(place)
        }
        return try run("check_in_browser.py", page, arguments: arguments)
    }

    private static func run(_ script: String, _ page: String, arguments: [String]) throws -> PageCheck {
        let directory = try TemporaryDirectory()
        try directory.write(Array(page.utf8), to: "page.html")
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages")
        let output = try ExternalTool.python.run(
            [folder.appending(path: script).path, directory.path("page.html")] + arguments)
        return try JSONDecoder().decode(PageCheck.self, from: Data(output))
    }
}
