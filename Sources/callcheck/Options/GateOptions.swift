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

    @Flag(help: "Let a quiet function pass that can be enforced together with the project's other quiet functions.")
    var acceptTogether = false
}

extension Gate.FailOn: ExpressibleByArgument {}
