import Verifications

extension Scenario {
    /// One day of generation 2, all logs: passes on standard output, failures on standard error, request rows.
    package static func oneDay(seed: UInt64) -> Scenario {
        Story(seed: seed, days: 1).scenario(threeFunctions(seed: seed, days: 1, perDay: 80), recordsPerVerification: 5)
    }

    /// One quiet day of generation 2, exported with a filter that asks for verifications and nothing else.
    package static func verificationsOnly(seed: UInt64) -> Scenario {
        Story(seed: seed, days: 1).scenario(threeFunctions(seed: seed, days: 1, perDay: 50))
    }

    /// A week exported with `severity>=WARNING`: every pass is lost, so that all seems to fail.
    package static func warningsOnly(seed: UInt64) -> Scenario {
        var scenario = Story(seed: seed, days: 7)
            .scenario(threeFunctions(seed: seed, days: 7, perDay: 60), recordsPerVerification: 4)
        scenario.filter.minimumSeverity = .warning
        return scenario
    }

    /// A week of which only standard output was exported: every failure is lost, so that all seems well.
    package static func standardOutputOnly(seed: UInt64) -> Scenario {
        var scenario = Story(seed: seed, days: 7)
            .scenario(threeFunctions(seed: seed, days: 7, perDay: 60), recordsPerVerification: 3)
        scenario.filter.logs = [.standardOutput]
        return scenario
    }

    /// Two weeks in which the sink of standard error was switched off after 2026-10-11: failures seem to have stopped.
    package static func standardErrorStopped(seed: UInt64) -> Scenario {
        var scenario = Story(seed: seed, days: 14).scenario(threeFunctions(seed: seed, days: 14, perDay: 40))
        scenario.filter.lastDays[.standardError] = lastCorpusDay.advanced(by: -3)
        return scenario
    }

    /// A week of generation 1 on firebase-functions 3: passes at INFO, refused tokens answered with 401.
    package static func version3(seed: UInt64) -> Scenario {
        let story = Story(seed: seed, days: 7)
        let functions = [
            story.function("submitScore", generation: .first, sdk: .version3, perDay: 60) { day in
                [Requests(day % 3, app: .invalid, auth: .valid), Requests(4, app: .missing, auth: .valid)]
            },
            story.function("get_feed", generation: .first, sdk: .version3, perDay: 50) { _ in
                [Requests(1, app: .valid, auth: .invalid), Requests(12, app: .valid, auth: .missing)]
            },
        ]
        return story.scenario(functions, recordsPerVerification: 3)
    }

    /// One day of which every entry was exported twice, by two overlapping sinks.
    package static func duplicated(seed: UInt64) -> Scenario {
        var scenario = Story(seed: seed, days: 1).scenario(threeFunctions(seed: seed, days: 1, perDay: 80))
        scenario.recordsPerVerification = 2
        scenario.duplicateShare = 1
        return scenario
    }

    /// Two weeks of which one day, 2026-10-11, was not exported.
    package static func gap(seed: UInt64) -> Scenario {
        let story = Story(seed: seed, days: 14)
        var scenario = story.scenario(threeFunctions(seed: seed, days: 14, perDay: 40))
        for index in scenario.functions.indices { scenario.functions[index].days[10] = [] }
        return scenario
    }

    /// Two weeks of apps with valid tokens, and of a website that never got App Check: one request in 200.
    package static func everyBrowser(seed: UInt64) -> Scenario {
        apps(seed: seed) { _ in [Requests(1, app: .missing, auth: .valid, client: .web)] }
    }

    /// Two weeks of apps with valid tokens, and of a release that lost its entitlement: 4.3.0, since 2026-10-11.
    package static func newRelease(seed: UInt64) -> Scenario {
        apps(seed: seed) { day in
            day < 10 ? [] : [Requests([1, 2, 4, 4][day - 10], app: .invalid, auth: .valid, client: .newestIOS)]
        }
    }

    /// Two weeks of 200 requests a day, a quarter of them from iOS.
    private static func apps(seed: UInt64, others: (_ day: Int) -> [Requests]) -> Scenario {
        let story = Story(seed: seed, days: 14)
        let function = story.function("addMessage", labels: .functionID, perDay: 0) { day in
            [
                Requests(52 + day % 5, app: .valid, auth: .valid, client: .iOS),
                Requests(143 + day % 7, app: .valid, auth: .valid, client: .android),
            ] + others(day)
        }
        var scenario = story.scenario([function], recordsPerVerification: 2)
        scenario.hasOwnLines = false
        return scenario
    }

    /// One that is safe if all was exported, one with outdated apps, one that people without an account call.
    private static func threeFunctions(seed: UInt64, days: Int, perDay: Int) -> [FunctionProfile] {
        let story = Story(seed: seed, days: days)
        return [
            story.function("addMessage", labels: [.functionID, .functionsHash], perDay: perDay) { _ in
                [Requests(1, app: .valid, auth: .invalid)]
            },
            story.function("scanReceipt", labels: [.functionsHash, .baseImage], perDay: perDay) { _ in
                [Requests(5, app: .missing, auth: .valid), Requests(2, app: .invalid, auth: .valid)]
            },
            story.function("delete_account", labels: .functionID, perDay: perDay) { _ in
                [Requests(1, app: .invalid, auth: .missing), Requests(2, app: .missing, auth: .missing)]
            },
        ]
    }
}
