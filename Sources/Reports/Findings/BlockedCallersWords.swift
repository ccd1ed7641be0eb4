import Readiness

extension BlockedCallers {
    var words: Words {
        switch self {
        case .anonymousOnly(let blocked, let signedIn, _, _):
            let some =
                signedIn == 0
                ? "none is signed in" : "\(Figures.grouped(signedIn)) \(signedIn == 1 ? "is" : "are") signed in"
            return Words(
                aside: """
                    Of the \(Figures.counted(blocked, "request")) that would be refused, \(some). If this function \
                    rejects signed-out callers itself, set \(code: "requires-auth: true"). If signed-out people use it \
                    (sign-up, public content), enforcement would refuse them.
                    """,
                enforced: { _ in
                    """
                    Of the \(Figures.counted(blocked, "request")) without a valid App Check token, \(some). If \
                    signed-out people use this function (sign-up, public content), enforcement refuses them.
                    """
                })
        case .shiftedToInvalid(let older, let newer):
            return Words(
                aside: """
                    The share of bad tokens among requests without a valid one went from \(Figures.rate(older)) to \
                    \(Figures.rate(newer)), while the rate of such requests stayed the same. These are the same \
                    clients after an SDK update, not an attack.
                    """)
        case .alreadyFailing(let failing, let blocked):
            return Words(
                aside: """
                    Of those without a valid token, \(Figures.grouped(failing)) of \(Figures.grouped(blocked)) \
                    \(failing == 1 ? "fails" : "fail") today already: enforcement takes nothing from them.
                    """)
        case .notAnApp(let foreign, let blocked):
            return Words(
                aside: """
                    Most of those that would be refused do not look like an app (\(Figures.grouped(foreign)) of \
                    \(Figures.grouped(blocked))): check that they are not jobs of your own.
                    """,
                enforced: { _ in
                    """
                    Most of those without a valid App Check token do not look like an app (\(Figures.grouped(foreign)) \
                    of \(Figures.grouped(blocked))): check that they are not jobs of your own.
                    """
                })
        case .validFromTools(let valid):
            return Words(
                aside: """
                    \(Figures.counted(valid, "request")) with a valid token \(valid == 1 ? "claims" : "claim") to come \
                    from a tool, a server or a simulator. Did a debug token leak?
                    """)
        }
    }
}
