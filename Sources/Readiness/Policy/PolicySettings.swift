/// Numbers of a ``VerdictPolicy`` that one source of settings names; nil where it says nothing.
///
/// The `policy:` part of a policy file, the flags of a command and every entry for functions are such sources.
public struct PolicySettings: Hashable, Sendable {
    public var maxBlocked: Double?
    public var confidence: Double?
    public var minDays: Int?
    public var window: Int?
    public var maxWindow: Int?
    public var requiresAuth: Bool?
    public var confirm: Int?

    public init() {}
}

extension VerdictPolicy {
    /// Takes over every number that the settings name.
    public mutating func apply(_ settings: PolicySettings) {
        maxBlocked = settings.maxBlocked ?? maxBlocked
        confidence = settings.confidence ?? confidence
        minDays = settings.minDays ?? minDays
        window = settings.window ?? window
        maxWindow = settings.maxWindow ?? maxWindow
        requiresAuth = settings.requiresAuth ?? requiresAuth
        confirm = settings.confirm ?? confirm
    }

    /// These numbers with the settings taken over.
    public func applying(_ settings: PolicySettings) -> VerdictPolicy {
        var policy = self
        policy.apply(settings)
        return policy
    }
}
