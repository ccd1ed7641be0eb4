/// What a line is for, and how important it is.
enum LineKind: Sendable {
    /// Generation 1 writes one when a call begins, and one when it ends.
    case executionStarted
    case executionFinished(status: Int)
    /// The SDK's line before a failed verification: why the App Check token was refused.
    case appCheckTokenRefused
    /// The same of a placeholder.
    case placeholderRefused
    case authTokenRefused
    /// The SDK's line after a failed verification that is let through.
    case invalidTokenAllowed
    /// The SDK's two lines for a request that is not a callable request; such a request is not verified.
    case notCallable
    case requestRefused
    /// What the function itself has to say, on standard output and on standard error.
    case application
    case applicationFailure
}

extension Line {
    static func drawn(_ kind: LineKind, of call: Call, using random: inout SeededRandom) -> Line {
        let range = LinePattern.range(of: kind)
        return Line(pattern: random.within(range), bits: random.next(), callBits: call.trace.low)
    }
}

extension LinePattern {
    static let catalogue = platform + sdk + applicationText + applicationObjects + applicationFailures

    /// The patterns that serve a kind of line.
    static func range(of kind: LineKind) -> Range<Int> {
        switch kind {
        case .executionStarted: return 0..<1
        case .executionFinished(let status):
            let index = 1 + (finishedStatuses.firstIndex(of: status) ?? 0)
            return index..<index + 1
        case .appCheckTokenRefused: return sdkStart..<sdkStart + 5
        case .placeholderRefused: return sdkStart..<sdkStart + 1
        case .authTokenRefused: return sdkStart + 5..<sdkStart + 6
        case .invalidTokenAllowed: return sdkStart + 6..<sdkStart + 7
        case .notCallable: return sdkStart + 7..<sdkStart + 8
        case .requestRefused: return sdkStart + 8..<sdkStart + 9
        case .application: return applicationStart..<failureStart
        case .applicationFailure: return failureStart..<failureStart + applicationFailures.count
        }
    }

    static func isOfPlatform(_ pattern: Int) -> Bool {
        pattern < sdkStart
    }

    private static let sdkStart = platform.count
    private static let applicationStart = sdkStart + sdk.count
    private static let failureStart = applicationStart + applicationText.count + applicationObjects.count

    private static let finishedStatuses = [200, 400, 401, 500]

    private static let platform: [LinePattern] =
        [.text("Function execution started")]
        + finishedStatuses.map { .text("Function execution took %m ms, finished with status code: \($0)") }

    // Most refused tokens are the placeholder of a mobile SDK that could not attest its device, so it comes up thrice.
    private static let sdk: [LinePattern] = [
        appCheckRefusal("Decoding App Check token failed. Make sure you passed the entire string JWT"),
        appCheckRefusal("Decoding App Check token failed. Make sure you passed the entire string JWT"),
        appCheckRefusal("Decoding App Check token failed. Make sure you passed the entire string JWT"),
        appCheckRefusal(
            "The provided App Check token has expired. Get a fresh App Check token", code: "app-check-token-expired"),
        appCheckRefusal("The provided App Check token has invalid signature."),
        .text("Failed to validate auth token. FirebaseAuthError: Firebase ID token has expired."),
        .text("Allowing request with invalid AppCheck token because enforcement is disabled"),
        .text("Request has invalid method. GET"),
        .text("Invalid request, unable to process."),
    ]

    private static func appCheckRefusal(_ message: String, code: String = "invalid-argument") -> LinePattern {
        .text(
            """
            Failed to validate AppCheck token. FirebaseAppCheckError: \(message)
                at AppCheckTokenVerifier.verifyToken (/workspace/node_modules/firebase-admin/lib/app-check/verifier.js)
                at process.processTicksAndRejections (node:internal/process/task_queues:105:5) {
              errorInfo: { code: 'app-check/\(code)', message: '\(message)' },
              codePrefix: 'app-check'
            }
            """)
    }

    private static let applicationText: [LinePattern] = [
        .text("Loaded profile of %u in %m ms"),
        .text("Cache miss for lists/%k, reading from Firestore"),
        .text("Nachricht an Gruppe „Café Müller“ zugestellt, %d Empfänger ✅"),
        .text("ユーザー %u がリストを更新しました(%d 件)"),
        .text("🎉 %d points for %u, shared with 👩‍👩‍👧 and 3 others"),
        .text(#"Validated {"amount": %d, "currency": "EUR"} for C:\invoices\%k"#),
        .text("Received\tlocale=fr-FR\tdevice=téléphone\tqueue=%d"),
        .text(#"Sink filter labels."firebase-log-type"="callable-request-verification" matched %d entries"#),
    ]

    private static let applicationObjects: [LinePattern] = [
        .object(
            #"{"message":"order placed","order":{"id":"%k","items":[{"sku":"A-%d","quantity":2,"tags":["new","caf\u00e9"]},"#
                + #"{"sku":"B-%d","quantity":1,"tags":[]}],"total":{"amount":%d,"currency":"EUR"}},"user":"%u"}"#),
        .object(
            #"{"context":{"locale":"de-CH","flags":{"beta":true,"quota":null}},"durationMs":%m,"#
                + #""message":"Gr\u00fc\u00dfe aus Z\u00fcrich \ud83d\ude80"}"#),
        .object(#"{"message":"matrix","rows":[[1,2,[3,[4,[5]]]],[],{}],"ratio":-1.5e-3,"key":"%k","visits":%d}"#),
        .object(
            #"{"message":"said \"hello\\\" and left","path":"C:\\temp\\%d","empty":"","nested":{"a":{"b":{"c":["#
                + #"{"d":"}]\"{"}]}}},"user":"%u"}"#),
        .object(#"{"message":"Größe geändert 📐","width":%d,"height":%d,"format":"webp","durationMs":%m}"#),
        .object(
            #"{"message":"export queried","query":{"labels":{"firebase-log-type":"callable-request-verification"},"#
                + #""limit":%d},"durationMs":%m}"#),
    ]

    private static let applicationFailures: [LinePattern] = [
        .text(
            """
            Error: Document lists/%k not found
                at readList (/workspace/lib/lists.js:%d:17)
                at async handler (/workspace/lib/index.js:%d:5)
            """),
        .text("Deprecated field „größe“ used by %u"),
        .object(#"{"message":"upstream is slow","attempt":%d,"durationMs":%m,"upstream":{"host":"db","ok":false}}"#),
    ]
}
