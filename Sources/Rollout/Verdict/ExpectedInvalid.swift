internal import Readiness
internal import Verifications

/// How many App Check tokens of iOS requests are INVALID by design while App Attest is rolled out.
///
/// Where the parameter is false the app has no token, and FirebaseFunctions for iOS sends a placeholder in its place.
package struct ExpectedInvalid: Hashable, Sendable {
    /// The share of users without App Attest, 0 to 1.
    package let share: Double
    /// The share of placeholders among the iOS requests with a valid token or the placeholder, 0 to 1.
    package let observed: Double

    /// True when the rollout is cause enough for the placeholders.
    package var explains: Bool { (observed - share).magnitude <= ExpectedInvalid.tolerance + 1e-9 }

    private static let tolerance = 0.1

    /// Nil without such requests, and without the percentage.
    ///
    /// - Parameters:
    ///   - evidence: What logs show of callers.
    ///   - template: How far the rollout is.
    ///   - policy: Requests up to the day of the last change do not count.
    init?(_ evidence: CallEvidence?, template: RolloutTemplate?, policy: RolloutPolicy) {
        guard let evidence, let template else { return nil }
        let tokens = evidence.iOSTokens(from: policy.since?.advanced(by: 1))
        guard tokens.verified + tokens.placeholders > 0 else { return nil }
        share = (100 - template.percent) / 100
        observed = Double(tokens.placeholders) / Double(tokens.verified + tokens.placeholders)
    }
}
