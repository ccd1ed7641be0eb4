internal import Verifications

/// The lines that the SDK writes next to a verification whose App Check token was refused.
///
/// ```
/// Failed to validate AppCheck token. FirebaseAppCheckError: The provided App Check token has expired. Get a fresh …
/// Allowing request with invalid AppCheck token because enforcement is disabled
/// Error validating token: Verifying App Check token failed. Error: Not enough segments
/// ```
///
/// The first two are firebase-functions for Node, the third is the one for Python, which has no line for the second.
/// The text goes by what follows the error's name, never by the error's code: nearly all have the same.
enum SDKLineText {
    /// A text starts with all that is of interest; stack traces follow.
    static let longest = 512

    private static let nodeCause: StaticString = "Failed to validate AppCheck token. "
    private static let allowing: StaticString = "Allowing request with invalid AppCheck token"
    static let pythonCause: StaticString = "Error validating token: "
    /// Generation 1 begins it with a small or a capital letter: `, finished with status code: 401`.
    private static let answer: StaticString = "inished with status code: "

    /// Returns the meaning of a line that begins with this text, quotes spelled with or without a backslash; nil if
    /// it is none of these.
    static func meaning(of text: RawText) -> SDKLine.Meaning? {
        if text.hasPrefix(allowing) { return .allowing }
        if text.hasPrefix(nodeCause) {
            let error = text.cut(nodeCause.utf8CodeUnitCount..<text.count)
            return .cause(cause(ofNode: error))
        }
        if text.hasPrefix("Function execution took ") { return answer(in: text) }
        let message = PythonLine(text)?.message ?? text
        guard message.hasPrefix(pythonCause) else { return nil }
        // ID tokens have the same prefix.
        return cause(ofPython: message.cut(pythonCause.utf8CodeUnitCount..<message.count)).map { .cause($0) }
    }

    /// Returns the meaning of an answer in a line of generation 1's platform, which no function can write; nil for a
    /// line without one.
    private static func answer(in text: RawText) -> SDKLine.Meaning? {
        guard let place = text.place(of: answer) else { return nil }
        let start = place + answer.utf8CodeUnitCount
        let digits = text.cut(start..<min(start + 3, text.count))
        let status = RequestRow.ResponseClass(digits: digits)
        return digits == "204" ? .preflight : status == .other ? nil : .answered(status)
    }

    private static func cause(ofNode error: RawText) -> RefusalCause {
        let name: StaticString = "FirebaseAppCheckError: "
        guard error.hasPrefix(name) else {
            let isFault =
                error.hasPrefix("FirebaseAppError: ") || error.hasPrefix("HttpsError: ")
                || error.hasPrefix("Error: Cannot validate AppCheck token.")
            return isFault ? .serverFault : .unexplained
        }
        let text = error.cut(name.utf8CodeUnitCount..<error.count)
        if let cause = cause(ofAppCheck: text) { return cause }
        let isFault =
            text.hasPrefix("Error fetching ") || text.hasPrefix("Must initialize app with a cert credential")
            || text.hasPrefix("Unexpected response with status")
        // All other texts are those of the service that consumes tokens.
        return isFault ? .serverFault : .consume
    }

    private static func cause(ofPython text: RawText) -> RefusalCause? {
        if text.hasPrefix("Verifying App Check token failed") { return .placeholder }
        // The signature was checked before, so the token is genuine, and the server's clock is behind.
        if text.hasPrefix("Decoding App Check token failed. Error: The token is not yet valid") { return .serverFault }
        if let cause = cause(ofAppCheck: text) { return cause }
        if text.hasPrefix("Unable to find a signing key") { return .unknownKey }
        if text.hasPrefix("Token does not contain the correct ") { return .otherToken }
        if text.hasPrefix("Firebase App Check token has incorrect ") { return .otherProject }
        return pythonFaults.contains { text.hasPrefix($0) } ? .serverFault : nil
    }

    /// Faults before a token is looked at: keys that cannot be fetched or used, a server without a project.
    private static let pythonFaults: [StaticString] = [
        "Fail to fetch data from the url", "The JWKS endpoint ", "The JWK Set ",
        "A project ID must be specified to access the App Check service.",
    ]

    /// The texts that both SDKs have, except for articles.
    private static func cause(ofAppCheck text: RawText) -> RefusalCause? {
        if text.hasPrefix("Decoding App Check token failed") { return .placeholder }
        let subject: StaticString = "The provided App Check token "
        guard text.hasPrefix(subject) else { return nil }
        let said = text.cut(subject.utf8CodeUnitCount..<text.count)
        return claims.first { begins(said, with: $0.0) }?.1 ?? .unexplained
    }

    private static let claims: [(StaticString, RefusalCause)] = [
        ("has expired", .expired), ("has incorrect aud", .otherProject), ("has an incorrect aud", .otherProject),
        ("has kid claim", .unknownKey), ("has invalid signature", .forged), ("has an invalid signature", .forged),
        ("has incorrect algorithm", .otherToken), ("has an incorrect alg", .otherToken),
        ("has an incorrect type header", .otherToken), ("has incorrect iss", .otherToken),
        ("has an incorrect iss", .otherToken), ("has no sub", .forged), ("has an empty string sub", .forged),
        ("sub ", .forged),
    ]

    /// True for a text that begins with the literal, quotes and backslashes left out.
    private static func begins(_ text: RawText, with literal: StaticString) -> Bool {
        var index = 0
        // Safe: place < utf8CodeUnitCount.
        for place in 0..<literal.utf8CodeUnitCount {
            while index < text.count, text[index] == .quote || text[index] == .backslash { index += 1 }
            guard index < text.count, unsafe text[index] == literal.utf8Start[place] else { return false }
            index += 1
        }
        return true
    }
}
