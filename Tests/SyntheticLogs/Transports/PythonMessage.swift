import Verifications

/// What firebase-functions for Python says of a request's tokens: text with a dictionary in it, as `repr` spells it.
///
/// ```
/// Callable request verification passed: {'app': 'MISSING', 'auth': 'VALID', 'logging.googleapis.com/labels':
///  {'firebase-log-type': 'callable-request-verification'}}
/// Callable request verification failed: $[('AppCheck token was rejected.', {'app': 'INVALID', 'auth': 'INVALID', …}),
///  ('Auth token was rejected.', {'app': 'INVALID', 'auth': 'INVALID', …})]
/// ```
///
/// Two refused tokens are two tuples of one request. None of its bytes must be escaped in JSON.
/// Source: firebase-functions-python, `src/firebase_functions/private/util.py`.
struct PythonMessage {
    private let texts: [[UInt8]]

    init() {
        texts = TokenStatus.allCases.flatMap { app in
            TokenStatus.allCases.map { Array(PythonMessage.text(app, $0).utf8) }
        }
    }

    subscript(app: TokenStatus, auth: TokenStatus) -> [UInt8] {
        texts[Int(app.rawValue) * 4 + Int(auth.rawValue)]
    }

    private static func text(_ app: TokenStatus, _ auth: TokenStatus) -> String {
        let statuses =
            "{'app': '\(SDKMessage.spelling(app))', 'auth': '\(SDKMessage.spelling(auth))', "
            + "'logging.googleapis.com/labels': {'firebase-log-type': 'callable-request-verification'}}"
        let reasons = SDKMessage.reasons(app, auth)
        guard !reasons.isEmpty else { return "Callable request verification passed: \(statuses)" }
        let tuples = reasons.map { "('\($0)', \(statuses))" }
        return "Callable request verification failed: $[\(tuples.joined(separator: ", "))]"
    }
}
