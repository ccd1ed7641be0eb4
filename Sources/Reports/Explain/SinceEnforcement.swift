import Readiness
import Verifications

extension Explanation {
    /// The time since the switch, next to the prediction: who is refused, and how to roll back.
    var since: Part? {
        guard let aftermath = function.assessment.aftermath else { return nil }
        let back = aftermath.answer == .more && !isLockout ? function.rollback : []
        let blocks = [.paragraph(aftermath.wording(of: function.assessment))] + aftermath.refused + back
        return Part(title: "Since enforcement", lines: blocks.map { Line(block: $0, level: .verbose) })
    }

    /// How revisions that shared the requests compare, to judge a staged switch.
    var revisionSection: Document.Section? {
        let revisions = function.revisions
        guard revisions.count > 1 else { return nil }
        var table = Table(
            numbers: ["requests", "no valid token", "refused"], words: ["enforcement"],
            rows: revisions.map { revision in
                [
                    .number(revision.requests), .share(revision.blocked, of: revision.requests),
                    .number(revision.refused), .words("\(revision.state.rawValue)"),
                ]
            })
        table.columns.insert(Table.Column(head: "revision"), at: 0)
        table.groups[0].rows = AnyRandomAccessCollection(
            zip(revisions, Array(table.groups[0].rows)).map { [.words("\(name: $0.name)")] + $1 })
        let isStaged = Set(revisions.map(\.state)).isSuperset(of: [.on, .off])
        let meaning: Wording =
            isStaged
            ? "Revisions that enforce refuse requests without a valid token. Compare their share with the others'."
            : "The revisions that had requests."
        return Document.Section(
            title: "Revisions", blocks: [.table(table), .paragraph(meaning, .faint)])
    }
}

extension Aftermath {
    /// Who was refused, and the versions that work.
    var refused: [Document.Block] { (refusedLines.isEmpty ? [] : [.figures(refusedLines)]) + working }

    /// The clients that were refused, most refused first; all lines together are all that were refused.
    private var refusedLines: [(figure: Wording, text: Wording)] {
        let clients = callers.refused { $0 }
        guard !clients.isEmpty else { return [] }
        let rest = clients.dropFirst(Aftermath.listed).reduce(into: ClientSum()) { $0.merge($1.value) }
        let known = callers.sum()
        let unknown = ClientSum(admitted: all.requests - known.admitted, blocked: all.refused - known.blocked)
        let others: [(ClientSum, Wording)] = [
            (rest, "other clients"), (unknown, "clients that the request log does not show"),
        ]
        return clients.prefix(Aftermath.listed).map { (figure: $0.value.share, text: $0.key.displayName) }
            + others.filter { $0.0.blocked > 0 }.map { (figure: $0.share, text: $1) }
    }

    private static let listed = 10
}

extension Client {
    /// `iOS apps, com.example.app 3.1.0 on iOS 17`, `browsers, Firefox, parents.academy.example`.
    var displayName: Wording {
        guard let version, !kind.hasSite else {
            return "\(kind.displayName)\(code.browser.map { ", \($0.displayName)" } ?? "")"
                + (site.map { ", \(name: $0)" } ?? "")
        }
        let system = version.os.isEmpty ? "" : " (\(kind == .macos ? "macOS" : "iOS") \(version.os))"
        return "\(kind.displayName), \(name: version.app) \(name: version.version)\(system)"
    }
}
