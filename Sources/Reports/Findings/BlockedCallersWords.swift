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
        }
    }
}
