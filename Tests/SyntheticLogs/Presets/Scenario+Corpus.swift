package import Verifications

extension Scenario {
    /// Two projects with 24 functions of both generations, for four weeks: what benchmarks read.
    ///
    /// One in five records is a verification; the others are request rows, platform lines, lines of the SDK and of the
    /// functions themselves. Volumes differ by a factor of 117, weekends are quieter, and the functions tell the usual
    /// stories: clean ones, outdated clients that fade away, bots, bursts of refused tokens, and apps without
    /// App Check. Every combination of statuses occurs. Unscaled, it would fill 65 GB.
    public static func mixed(seed: UInt64) -> Scenario {
        var scenario = dense(seed: seed)
        scenario.recordsPerVerification = 5
        return scenario
    }

    /// The functions and calls of ``mixed(seed:)``, of which only verifications are exported.
    public static func dense(seed: UInt64) -> Scenario {
        let days = 28
        let firstDay = lastCorpusDay.advanced(by: 1 - days)
        let functions = corpusNames.enumerated().map { index, name in
            let behaviour = Behaviour.allCases[index % Behaviour.allCases.count]
            let rank = Double(index + 1)
            let volume = 240_000 / (rank * rank.squareRoot())
            return FunctionProfile(
                project: index % 4 == 3 ? "demo-staging" : "demo-prod",
                region: ["us-central1", "us-central1", "europe-west1"][index % 3], name: name,
                generation: index % 3 == 1 ? .first : .second, sdk: index % 6 == 1 ? .version3 : .version4,
                labels: labelSets[index % labelSets.count],
                days: (0..<days).map { offset in
                    let isWeekend = firstDay.advanced(by: offset).weekday >= 5
                    return behaviour.requests(
                        volume: isWeekend ? volume * 0.6 : volume, day: offset, age: Double(offset) / Double(days))
                })
        }
        return Scenario(seed: seed, firstDay: firstDay, functions: functions)
    }

    /// The last day of all corpora and samples.
    package static let lastCorpusDay = Day(number: 20_740)

    private static let labelSets: [LabelSet] = [
        .functionsHash, [.functionID, .functionsHash], [.functionID, .functionsHash, .baseImage], [], .baseImage,
    ]

    private static let corpusNames = [
        "addMessage", "searchNearby", "scanReceipt", "submitScore", "get_feed", "createInvite", "deleteAccount",
        "redeemVoucher", "adminGenerateReport", "resizeAvatar", "importContacts", "logAppError", "list_orders",
        "castVote", "syncCalendar", "bookTable", "translateText", "yearlySummary", "onboarding_step", "matchPlayers",
        "exportInvoices", "verifyPhone", "joinWaitlist", "rateDriver",
    ]
}

/// How the callers of a corpus function behave.
private enum Behaviour: CaseIterable {
    /// Nearly all tokens are valid.
    case clean
    /// Outdated apps send no token; their share falls from 20% to 1%.
    case fading
    /// Tools without any token make up 6%.
    case bots
    /// Every third day an hour of refused tokens.
    case bursts
    /// The app does not use App Check yet.
    case withoutAppCheck

    /// The requests of one day, of which `age` says how much of the scenario has passed, 0 to 1.
    func requests(volume: Double, day: Int, age: Double) -> [Requests] {
        func share(_ part: Double, _ app: TokenStatus, _ auth: TokenStatus, hours: Range<Int> = 0..<24) -> Requests {
            Requests(Int(volume * part + 0.5), app: app, auth: auth, hours: hours)
        }
        let background = [
            share(0.002, .missing, .valid), share(0.0015, .valid, .invalid), share(0.0008, .missing, .invalid),
            share(0.0006, .invalid, .missing), share(0.0004, .invalid, .invalid), share(0.0004, .other, .valid),
            share(0.0002, .valid, .other), share(0.0002, .other, .missing), share(0.0001, .invalid, .other),
            share(0.0001, .missing, .other), share(0.0001, .other, .invalid), share(0.0001, .other, .other),
        ]
        switch self {
        case .clean:
            return background + [share(0.97, .valid, .valid), share(0.024, .valid, .missing)]
        case .fading:
            let outdated = 0.20 - 0.19 * age
            return background + [
                share(0.99 - outdated, .valid, .valid), share(outdated, .missing, .valid),
                share(0.004, .invalid, .valid),
            ]
        case .bots:
            return background + [share(0.93, .valid, .valid), share(0.06, .missing, .missing)]
        case .bursts:
            let hour = 8 + day % 12
            let burst = day % 3 == 0 ? [share(0.05, .invalid, .valid, hours: hour..<hour + 1)] : []
            return background + burst + [share(0.98, .valid, .valid), share(0.01, .missing, .missing)]
        case .withoutAppCheck:
            return background + [share(0.8, .missing, .valid), share(0.2, .missing, .missing)]
        }
    }
}
