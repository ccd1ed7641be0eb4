/// How well a verification shows that the SDK wrote it.
public enum Provenance: Hashable, Sendable {
    /// It carries the SDK's label, which a function's own log text cannot forge.
    case labelled
    /// Text alone: Python's SDK, `functions:log` and console lines.
    case unlabelled
}
