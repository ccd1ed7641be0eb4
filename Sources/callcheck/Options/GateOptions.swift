public import ArgumentParser
public import Readiness

/// When a gate fails.
struct GateOptions: ParsableArguments {
    @Option(
        help: """
            unsure: what cannot be told yet fails too. not-safe: only what is known to be unsafe fails. \
            lockout: only functions fail that the policy calls enforced and that lock signed-in people out.
            """)
    var failOn = Gate.FailOn.unsure

    @Option(
        help: """
            A function passes only when nothing has spoken against it on this many days in a row (default: 7).
            """)
    var confirm: Int?

    func validate() throws {
        if let confirm, confirm < 1 {
            throw ValidationError("--confirm must be at least 1: how many nights must agree.")
        }
    }
}

extension Gate.FailOn: ExpressibleByArgument {}
