public import Verifications

/// What holds for one function, after everything that has a say was heard.
public struct FunctionPolicy: Hashable, Sendable {
    public var numbers: VerdictPolicy
    /// Why enforcement must never be switched on; nil when it may.
    public var exempt: String?
    /// The day on which enforcement was switched on; nil when it is off.
    public var enforced: Day?
    /// Days of the function before this one do not count; nil when all do.
    public var since: Day?
    /// Lines of the policy file's entries that matched, in file order.
    public var lines: [Int] = []

    public init(numbers: VerdictPolicy = VerdictPolicy()) {
        self.numbers = numbers
    }
}
