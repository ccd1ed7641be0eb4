import Foundation

/// A page in Markdown: its fenced blocks, its links, and the headings that links may lead to.
struct MarkdownPage {
    /// A fenced block.
    struct Block: Equatable {
        /// The word after the fence: `console`, `sh`; empty if there is none.
        var language: String
        /// The lines between the fences.
        var lines: [String]
        /// Which line of the page the first of them is, from 0.
        var start: Int
    }

    let path: String
    let lines: [String]
    private(set) var blocks: [Block] = []
    /// The text outside blocks.
    private var prose: [String] = []

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        var open: Block?
        for (index, line) in lines.enumerated() {
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            if isFence, let block = open {
                blocks.append(block)
                open = nil
            } else if isFence {
                open = Block(language: line.drop { $0 == " " || $0 == "`" }.description, lines: [], start: index + 1)
            } else if open != nil {
                open?.lines.append(line)
            } else {
                prose.append(line)
            }
        }
    }

    /// Targets of links, in order: `[text](target)`, `[name]: target` and DocC's `<doc:Page>`.
    var links: [String] {
        prose.flatMap { line -> [String] in
            let text = line.replacing(#/`[^`]*`/#, with: "")
            let inline = text.matches(of: #/\]\(<?([^)\s>]+)>?[^)]*\)/#).map { String($0.1) }
            let named = text.matches(of: #/^\[[^\]]+\]:\s*(\S+)/#).map { String($0.1) }
            let pages = text.matches(of: #/<doc:([^>]+)>/#).map { "\($0.1).md" }
            return inline + named + pages
        }
    }

    /// What links behind `#` may lead to, as GitHub makes it of headings.
    var anchors: Set<String> {
        Set(
            prose.filter { $0.hasPrefix("#") }.map { heading in
                let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
                return words.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            })
    }

    /// Links into the repository that lead nowhere.
    func deadLinks(in repository: Repository) -> [String] {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        return links.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }.filter { link in
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? path : folder.isEmpty ? String(parts[0]) : "\(folder)/\(parts[0])"
            guard repository.exists(target) else { return true }
            guard parts.count > 1 else { return false }
            let page = (try? repository.file(target)).map { MarkdownPage(path: target, text: $0.text) }
            return page?.anchors.contains(String(parts[1])) != true
        }
        .map { "\(path): \($0) leads nowhere" }
    }
}
