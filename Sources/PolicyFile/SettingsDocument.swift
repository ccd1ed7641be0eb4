package import Readiness
import Verifications

/// What a settings file says: what to read, what to judge by, and defaults for options.
///
/// ```yaml
/// project: my-app
/// store: history.db
/// policy: policy.yaml      # or the policy itself: {max-blocked: 1%}, and functions: below
/// confirm: 3d
/// format: markdown
/// ```
///
/// It is read by the rules of a ``PolicyDocument``: every mistake in it is found, with its place. An empty file has no
/// settings.
package struct SettingsDocument: Hashable, Sendable {
    /// `project`, `region`, `function`: one glob, or a list of them.
    package var globs: [PolicyKey: [String]] = [:]
    /// `store`, `policy`, `inventory`: paths as they are written.
    package var paths: [PolicyKey: String] = [:]
    /// The policy, when the file itself has `policy:` as a mapping, or `functions:`.
    package var policy: PolicyDocument?
    /// Defaults for the numbers that a policy has.
    package var numbers = PolicySettings()
    /// `format`, `color`, `fail-on`, `assume-complete`: one of the words that are allowed there.
    package var words: [PolicyKey: String] = [:]
    /// `jobs`, `max-functions`; bytes for `max-record-bytes`, days for `retention`.
    package var counts: [PolicyKey: Int] = [:]
    /// `quiet`, `no-progress`, `strict`, `accept-together`.
    package var flags: [PolicyKey: Bool] = [:]
    /// Where each key stands.
    package var lines: [PolicyKey: Int] = [:]

    /// Reads the text of a settings file.
    ///
    /// - Parameters:
    ///   - text: The file.
    ///   - words: What may stand at each key that takes a word.
    /// - Throws: Every mistake of the file, in the order of its lines; one alone when it is not YAML.
    package init(yaml text: String, words: [PolicyKey: [String]]) throws(InvalidPolicy) {
        let root: YAMLNode
        do {
            root = try YAMLNode.root(of: text)
        } catch {
            if error.kind == .empty { return }
            throw InvalidPolicy(mistakes: [error])
        }
        var reader = PolicyReader()
        for (key, value, line) in reader.pairs(of: root, in: .settingsFile) {
            lines[key] = line
            read(value, as: key, allowed: words[key] ?? [], &reader)
        }
        guard reader.mistakes.isEmpty else { throw InvalidPolicy(mistakes: reader.mistakes) }
    }

    private mutating func read(_ node: YAMLNode, as key: PolicyKey, allowed: [String], _ reader: inout PolicyReader) {
        switch key {
        case .project, .region, .function: globs[key] = reader.globs(node, key)
        case .policy, .functions: readPolicy(node, as: key, &reader)
        case .store, .inventory: paths[key] = reader.scalar(node, key)
        case .format, .color, .failOn, .assumeComplete: words[key] = reader.word(node, key, among: allowed)
        case .quiet, .noProgress, .strict, .acceptTogether: flags[key] = reader.boolean(node, key)
        case .jobs, .maxFunctions: counts[key] = reader.count(node, key)
        case .maxRecordBytes: counts[key] = reader.size(node, key)
        case .retention: counts[key] = reader.number(node, key, PolicyDays.retention.read)
        default: reader.read(node, as: key, into: &numbers)
        }
    }

    /// The policy is written out here, or has a file of its own.
    private mutating func readPolicy(_ node: YAMLNode, as key: PolicyKey, _ reader: inout PolicyReader) {
        var document = policy ?? PolicyDocument()
        if key == .functions {
            document.entries = reader.entries(node)
            policy = document
        } else if case .mapping = node.content {
            reader.readNumbers(node, into: &document)
            policy = document
        } else {
            paths[.policy] = reader.scalar(node, key)
        }
        if policy != nil, paths[.policy] != nil { reader.note(.twoPolicies, node) }
    }
}

extension PolicyReader {
    /// One glob, or a list of them.
    fileprivate mutating func globs(_ node: YAMLNode, _ key: PolicyKey) -> [String]? {
        guard case .list(let items) = node.content else { return glob(node, key).map { [$0.pattern] } }
        guard !items.isEmpty else { return mistake(.emptyGlob(key), node) }
        return items.compactMap { glob($0, key)?.pattern }
    }

    fileprivate mutating func word(_ node: YAMLNode, _ key: PolicyKey, among words: [String]) -> String? {
        guard let text = scalar(node, key) else { return nil }
        return words.contains(text) ? text : mistake(.notAWord(key, words), node)
    }

    fileprivate mutating func count(_ node: YAMLNode, _ key: PolicyKey) -> Int? {
        guard let text = scalar(node, key) else { return nil }
        guard let count = Int(text), count >= 1 else { return mistake(.notACount(key), node) }
        return count
    }

    fileprivate mutating func size(_ node: YAMLNode, _ key: PolicyKey) -> Int? {
        guard let text = scalar(node, key) else { return nil }
        guard let size = ByteCount(text)?.value, ByteCount.recordLimits.contains(size) else {
            return mistake(.notASize(key), node)
        }
        return size
    }
}
