public import Readiness
internal import Verifications
internal import Yams

/// A policy file: numbers for all functions, and entries for some.
///
/// ```yaml
/// policy: {max-refused: 1%, window: 7d, safe-nights: 7}
/// functions:
///   - match: logAppError
///     exempt: the error channel must work when App Check is down
///     until: 2027-01-31
/// ```
///
/// The file is read as a whole: every mistake in it is found, not only the first.
public struct PolicyDocument: Hashable, Sendable {
    /// The values under `policy:`.
    package var values = SettingValues()
    /// The entries under `functions:`, in file order, with their lines.
    public var entries: [PolicyEntry] = []
    package var lines: [SettingKey: Int] = [:]

    /// How long a file may be, in bytes: far above any policy, far below an export given by mistake.
    package static let sizeLimit = 1 << 20
}

extension PolicyDocument {
    /// Reads a single YAML document of mappings, lists and scalars; no anchors, aliases, merge keys and tags.
    ///
    /// - Throws: Every mistake of the file, in the order of its lines; one alone when it is not YAML.
    public init(yaml text: String) throws(InvalidPolicy) {
        self.init()
        try PolicyReader.read(text, in: .file) { reader, key, node, _ in reader.read(node, as: key, into: &self) }
    }
}

/// A settings file: what to read, what to judge by, and defaults for options.
///
/// It is read by the rules of a ``PolicyDocument``: every mistake in it is found, with its place. An empty file has no
/// settings.
package struct SettingsDocument: Hashable, Sendable {
    /// As they are written: paths are relative to the file.
    package private(set) var values = SettingValues()
    /// The policy, when the file itself has `policy:` as a mapping, or `functions:`.
    package private(set) var policy: PolicyDocument?
    package private(set) var lines: [SettingKey: Int] = [:]

    package init(yaml text: String) throws(InvalidPolicy) {
        try PolicyReader.read(text, in: .settingsFile) { reader, key, node, line in
            lines[key] = line
            let (isPolicy, hasEntries) = (key == SettingKey[\.policy], key == SettingKey[\.functions])
            if hasEntries || isPolicy && node.mapping != nil {
                var document = policy ?? PolicyDocument()
                reader.read(node, as: key, into: &document)
                policy = document
            } else {
                values[key] = reader.value(node, of: key)
            }
            if isPolicy || hasEntries, policy != nil, values.policy != nil { reader.add(.twoPolicies, node) }
        }
    }
}
