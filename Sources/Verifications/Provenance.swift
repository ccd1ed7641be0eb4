/// How a verification says that it comes from the SDK: clients can make a function log text that looks the same.
public enum Provenance: UInt8, CaseIterable, Sendable {
    /// It carries the label `firebase-log-type`, next to the SDK's own message.
    case labelled = 0
    /// It carries no label: Python's text, `functions:log`, and lines of a console.
    case unlabelled = 1
    /// It carries the label, and the entry has no message at all, as in an export of a few columns; or the label stands
    /// in the payload, where Cloud Logging leaves none of the SDK's. Believed where the function has none of the first.
    case labelAlone = 2
}
