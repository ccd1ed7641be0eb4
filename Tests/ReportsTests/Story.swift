import Readiness
import Reports
import Verifications

/// A project in which nearly every verdict occurs, for the golden files.
enum Story {
    /// Twelve plausible functions and five with a particular story, judged.
    static let judged: Summary = {
        let functions =
            Sample.project(functions: 12) + [
                Sample.function("newThing", generation: .first, days: 3) { _ in [Requests(app: .valid, count: 40)] },
                Sample.function("scanReceipt", generation: .first) { _ in
                    [
                        Requests(app: .valid, count: 900), Requests(app: .invalid, count: 60),
                        Requests(app: .missing, count: 9),
                    ]
                },
                Sample.unlabelled("exportAll", generation: .first) { _ in [Requests(app: .invalid, count: 30)] },
                Sample.function("signUp", generation: .first) { _ in
                    [
                        Requests(app: .valid, count: 400),
                        Requests(app: .missing, auth: .missing, count: 30),
                    ]
                },
                Sample.function("rarelyUsed", generation: .first) { day in
                    day.isMultiple(of: 2) ? [Requests(app: .valid, count: 3)] : []
                },
            ]
        return Sample.judged(Sample.summary(functions), rules: rules)
    }()

    static let rules: PolicyRules = {
        var rules = PolicyRules()
        var exempt = PolicyEntry(match: Glob("addPush*"), line: 3)
        exempt.settings.exempt = "the error channel must work when App Check is down"
        var enforced = PolicyEntry(match: Glob("getAccount"), line: 5)
        enforced.settings.enforced = .date(Sample.day("2026-10-04"))
        rules.entries = [exempt, enforced]
        return rules
    }()

    /// The story of one function.
    static func explanation(_ name: String) -> Explanation {
        Sample.explanation(name, in: judged, rules: rules)
    }

    /// The story of some functions.
    static func judged(_ names: String...) -> Summary {
        var summary = judged
        summary.functions = summary.functions.filter { names.contains($0.name) }
        return summary
    }

    static let oneFunction = Sample.judged(Sample.summary(Array(Sample.project(functions: 3).suffix(1))))

    /// An input in which everything went wrong that notes speak of.
    static let troubled: Summary = {
        var functions = Array(Sample.project(functions: 4).prefix(3))
        functions[0] = functions[0].changed { $0.table.add(Requests(app: .other, count: 12), on: Sample.firstDay) }
        functions[1] = functions[1].changed { $0.table.add(Requests(app: .valid, count: 5), on: nil) }
        functions.append(
            Sample.function("onlyErrors", project: "demo-staging", generation: .first, days: 1) { _ in
                [Requests(app: .invalid, count: 7)]
            })
        functions.append(
            Sample.function("oldSDK", project: "demo-staging", generation: .first, days: 9, severity: .info) { day in
                (2...4).contains(day) ? [] : [Requests(app: .valid, count: 7)]
            })
        functions[4] = functions[4].changed {
            $0.table.add(Requests(app: .valid, count: 2), on: Sample.day("2026-11-20"), severity: .info)
        }
        functions.append(
            Sample.function("-", project: "-", region: "-", generation: nil) { _ in
                [Requests(app: .missing, count: 1)]
            })
        var policy = VerdictPolicy()
        policy.assumeComplete = .everything
        return Sample.summary(functions, asOf: Sample.instant("2026-10-14T18:00:00Z"), policy: policy) { input in
            input.sources = 3
            input.duplicates = 1204
            input.filtered = 17
            input.ignored = 1
            input.malformed = 3
            input.oversized = 1
            input.unread.add(4)
            input.problems = problems
        }
    }()

    static let empty = Sample.summary([]) { $0.records = 812 }

    private static let problems: ProblemLog = {
        var log = ProblemLog()
        log.append(
            Problem(
                source: "logs/a.json.gz", kind: .truncatedGzip, byteOffset: 81_234, record: nil,
                detail: "the file ends in the middle of its compressed data"))
        log.append(
            Problem(
                source: "logs/a.json.gz", kind: .malformedRecord, byteOffset: 9001, record: 812,
                detail: "expected a comma or a closing brace"))
        log.append(
            Problem(
                source: "logs/b.json", kind: .unexpectedContainer, byteOffset: 70_000, record: 41,
                detail: "an array in the middle of lines is not read"))
        log.append(
            Problem(
                source: "-", kind: .unterminatedArray, byteOffset: 123, record: nil,
                detail: "the array has no closing bracket, as after an interrupted command"))
        log.append(
            Problem(
                source: "logs/c.parquet", kind: .unsupportedFormat, byteOffset: nil, record: nil,
                detail: "neither JSON nor text. Export as JSON"))
        return log
    }()
}
