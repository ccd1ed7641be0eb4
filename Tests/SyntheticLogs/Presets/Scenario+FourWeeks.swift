import Verifications

extension Scenario {
    /// Four weeks of a project whose functions tell one story each, up to 2026-10-14.
    ///
    /// Judged without a policy, they show every verdict that needs none. The days count from 0, 2026-09-17, a Thursday,
    /// to 27, a Wednesday.
    package static func fourWeeks(seed: UInt64) -> Scenario {
        let story = Story(seed: seed, days: 28)
        let functions = safe(story) + notSafe(story) + cannotTell(story)
        return story.scenario(functions, recordsPerVerification: 1.2)
    }

    private static func safe(_ story: Story) -> [FunctionProfile] {
        [
            // Busy. The web client's attestation was out on day 4, long enough ago.
            story.function("addMessage", labels: [.functionID, .functionsHash], perDay: 90) { day in
                day == 4
                    ? [Requests(14, app: .missing, auth: .valid, hours: 9..<17)]
                    : [Requests(day % 9 == 0 ? 1 : 0, app: .missing, auth: .valid)]
            },
            // Quiet, so that the judgement needs all four weeks. One person without a token, on a Sunday; people whose
            // session ran out are refused today as well, and count for nothing. Enforcement is on since day 22.
            story.function("deleteAccount", labels: .functionID, enforcedSince: 22, perDay: 24) { day in
                [
                    Requests(day == 17 ? 1 : 0, app: .missing, auth: .valid),
                    Requests(day % 4 == 1 ? 1 : 0, app: .missing, auth: .invalid),
                ]
            },
            // Moved to generation 2 within a few days: the old one is superseded, the new one is safe.
            story.function("resizeAvatar", generation: .first, perDay: 26, active: 0..<18),
            story.function("resizeAvatar", perDay: 36, active: 15..<28),
        ]
    }

    private static func notSafe(_ story: Story) -> [FunctionProfile] {
        [
            // Outdated apps send no token; since a forced update began on day 14 they fade away.
            story.function("scanReceipt", labels: [.functionID, .baseImage], perDay: 34) { day in
                let outdated = [9, 8, 7, 6, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1]
                return [Requests(day < 14 ? 9 : outdated[day - 14], app: .missing, auth: .valid)]
            },
            // Fixed on day 25.
            story.function("createInvite", perDay: 28) { day in
                [Requests(day < 25 ? 3 : 0, app: .missing, auth: .valid)]
            },
            // Somebody's script calls it without any token; all who are signed in are fine.
            story.function("adminGenerateReport", refusesSignedOut: true, perDay: 24) { _ in
                [Requests(2, app: .missing, auth: .missing, hours: 1..<5)]
            },
            // A new Android release is not registered with Play Integrity, and an afternoon of forged tokens.
            story.function("searchNearby", region: "europe-west1", perDay: 32) { day in
                day < 17
                    ? [Requests(day % 2, app: .invalid, auth: .missing)]
                    : [
                        Requests(4, app: .invalid, auth: .valid),
                        Requests(day == 20 ? 15 : 0, app: .invalid, auth: .missing, hours: 14..<15),
                    ]
            },
            // On firebase-functions 3. The same old phones: after an SDK update they send a placeholder instead of no
            // token.
            story.function("submitScore", generation: .first, sdk: .version3, perDay: 28) { day in
                [
                    Requests(3, app: day < 16 ? .missing : .invalid, auth: .valid),
                    Requests(day % 5 == 0 ? 1 : 0, app: .valid, auth: .invalid),
                ]
            },
            // The error channel: what calls it is often in trouble already.
            story.function("logAppError", perDay: 10) { _ in
                [Requests(3, app: .missing, auth: .missing), Requests(1, app: .missing, auth: .valid)]
            },
            // One bad day among many clean ones.
            story.function("bookTable", labels: .functionID, perDay: 30) { day in
                [Requests(day == 25 ? 9 : 0, app: .missing, auth: .valid, hours: 8..<20)]
            },
            // Enforcement went live on day 22, too early.
            story.function("rateDriver", enforcedSince: 22, perDay: 20) { _ in
                [Requests(3, app: .missing, auth: .valid)]
            },
        ]
    }

    private static func cannotTell(_ story: Story) -> [FunctionProfile] {
        [
            // Launched on day 23.
            story.function("redeemVoucher", perDay: 24, active: 23..<28),
            // Too quiet for a judgement.
            story.function("importContacts", perDay: 6),
            // An exclusion filter drops its DEBUG lines, so only failures are left.
            story.function("syncCalendar", labels: [], perDay: 0) { day in
                [Requests(2 + day % 3, app: .invalid, auth: .valid)]
            },
            // Nobody calls it any more.
            story.function("yearlySummary", perDay: 20, active: 0..<10),
            // Called on two evenings only.
            story.function("castVote", perDay: 0) { day in
                [Requests(day == 12 || day == 26 ? 180 : 0, app: .valid, auth: .valid, hours: 18..<21)]
            },
        ]
    }
}
