import Readiness
import Verifications

extension Explanation {
    /// The likely causes of blocked requests, the most frequent kind first.
    var causes: [Document.Block] {
        let evidence = function.assessment.evidence
        let kinds: [(count: Int, blocks: [Document.Block])] = [
            (evidence.signedInNoToken, signedInWithoutToken), (evidence.anonymousNoToken, anonymous),
            (evidence.tokenRefused, refusedTokens),
        ]
        let byCount = kinds.enumerated().filter { $0.element.count > 0 }
            .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        return badDayBlocks + byCount.flatMap(\.element.blocks)
    }

    /// A day that stands out has a cause of its own.
    private var badDayBlocks: [Document.Block] {
        let isUnstable = function.assessment.reasons.contains {
            if case .excess(.unstableDay) = $0 { true } else { false }
        }
        let shown = function.assessment.evidence.activeDays
        guard isUnstable, let last = badDays.last, badDays.count <= shown / 2 else { return [] }
        return [
            .item(
                """
                What happened on \(CalendarText.day(last.day))\(badDays.count > 1 ? " and the other bad days" : "")? A \
                release of an app, a new deployment, an attestation provider that was down or out of quota, a \
                single client out of control.
                """)
        ]
    }

    private var signedInWithoutToken: [Document.Block] {
        var blocks: [Document.Block] = [
            .item(
                """
                Signed in, without an App Check token: which versions of your apps without App Check are still in \
                use? They disappear as users update; a forced update stops them. On the web, make sure that App Check \
                is set up before the first call.
                """)
        ]
        if function.identity.generation == .second {
            blocks += [
                .paragraph("Which apps call it (iOS names app and version, Android only okhttp):"),
                .code(commands.clients, language: "sh"),
            ]
        }
        return blocks
    }

    private var anonymous: [Document.Block] {
        let signedInResult = function.assessment.signedIn.verdict
        let isGuarded = function.assessment.policy.numbers.requiresAuth
        let hint: Wording =
            signedInResult == .enforce && !isGuarded
            ? " If the function rejects them itself, set \(code: "requires-auth: true") in the policy." : ""
        return [
            .item(
                """
                Neither signed in nor with a token: is the function called before sign-in, or by monitors and jobs of \
                your own? Give those App Check debug tokens or another endpoint.
                """ + hint)
        ]
    }

    private var refusedTokens: [Document.Block] {
        [
            .item("Refused tokens: next to each, the SDK writes a line that says why."),
            .code(commands.refusals, language: "sh"),
            .figures([
                (
                    "Decoding App Check token failed",
                    "the placeholder of an app whose attestation fails (not from the store, rooted, quota), or a debug token"
                ),
                ("has expired", "an old token: a wrong clock, an app that slept"),
                ("incorrect \"aud\"", "the app is set up for another project"),
                ("signature, algorithm, \"kid\", \"sub\"", "forged, or very old"),
                ("public keys, project ID", "the server's own fault: it could not verify any token"),
            ]),
        ]
    }
}
