import Readiness
import Verifications

/// The machine-readable report, schema `callcheck.summary/2`.
///
/// Keys are always present and always in the same order. Integers are written as integers, other numbers in the fewest
/// digits that read back as the same number. Outer levels have one key per line, and leaves are on one line, which
/// suits both `jq` and readers of a diff.
struct JSONReport {
    /// Names the schema; a changed schema gets a new number.
    static let schema = "callcheck.summary/2"

    private let check: GateCheck?

    /// The report of a gate, or of a summary alone.
    init(_ check: GateCheck? = nil) {
        self.check = check
    }

    func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", JSONReport.schema)
            json.member("asOf", summary.asOf?.description)
            json.add(summary.policy)
            json.add(summary.input)
            json.addTotals(of: summary)
            json.add(check, of: summary)
            json.add(summary.groups)
            json.array(.lines, key: "functions") { json in
                for function in summary.functions {
                    json.add(function)
                    json.drain(into: &sink)
                }
            }
        }
        json.drain(into: &sink)
    }
}

extension JSONWriter {
    mutating func add(_ policy: VerdictPolicy) {
        object(.inline, key: "policy") { json in
            json.member("maxBlocked", policy.maxBlocked)
            json.member("confidence", policy.confidence)
            json.member("window", policy.window)
            json.member("maxWindow", policy.maxWindow)
            json.member("minDays", policy.minDays)
            json.member("requiresAuth", policy.requiresAuth)
            json.member("confirm", policy.confirm)
            switch policy.assumeComplete {
            case .nothing: json.member("assumeComplete", false)
            case .failures: json.member("assumeComplete", policy.assumeComplete.rawValue)
            case .everything: json.member("assumeComplete", true)
            }
        }
    }

    mutating func add(_ input: InputSummary) {
        object(.lines, key: "input") { json in
            json.member("sources", input.sources)
            json.member("bytesRead", input.bytesRead)
            json.member("bytesDecompressed", input.bytesDecompressed)
            json.member("records", input.records)
            json.member("verifications", input.verifications)
            json.member("duplicates", input.duplicates)
            json.member("filtered", input.filtered)
            json.member("ignored", input.ignored)
            json.member("malformed", input.malformed)
            json.member("oversized", input.oversized)
            json.member("unexpected", input.unexpected)
            json.member("undated", input.undated)
            json.array(.lines, key: "problems") { json in
                for problem in input.problems.entries { json.add(problem) }
            }
        }
    }

    mutating func add(_ problem: Problem) {
        object(.inline) { json in
            json.member("source", problem.source)
            json.member("kind", problem.kind.rawValue)
            json.member("byteOffset", problem.byteOffset)
            json.member("record", problem.record)
            json.member("detail", problem.detail)
        }
    }

    mutating func addTotals(of summary: Summary) {
        object(.lines, key: "totals") { json in
            json.addCounts("app", summary.totals)
            json.addVerdicts(of: summary.functions)
        }
    }

    /// Counts by App Check status, whatever the Auth status.
    mutating func addCounts(_ key: String, _ counts: StatusMatrix) {
        object(.inline, key: key) { $0.addMembers(counts) }
    }

    mutating func addMembers(_ counts: StatusMatrix) {
        for app in TokenStatus.allCases { member(app.name, counts.total(app: app)) }
    }

    mutating func add(_ function: FunctionSummary) {
        let totals = function.totals
        object(.lines) { json in
            json.member("project", function.identity.project)
            json.member("region", function.identity.region)
            json.member("function", function.name)
            json.member("generation", function.identity.generation.map { Int($0.rawValue) })
            json.member("verifications", totals.total)
            json.member("first", function.tally.first?.description)
            json.member("last", function.tally.last?.description)
            json.addCounts("app", totals)
            json.object(.lines, key: "appByAuth") { json in
                for app in TokenStatus.allCases {
                    json.object(.inline, key: app.name) { json in
                        for auth in TokenStatus.allCases { json.member(auth.name, totals[app, auth]) }
                    }
                }
            }
            json.array(.lines, key: "daily") { json in
                for day in function.tally.days { json.add(day) }
            }
            json.object(.inline, key: "discarded") { json in
                json.member("unlabelled", function.tally.discarded.unlabelled)
                json.member("otherMessage", function.tally.discarded.otherMessage)
                json.member("repeated", function.tally.discarded.repeated)
            }
            json.addReadiness(of: function)
            json.add(function.callers?.causes)
            json.add(function.callers?.enforcement)
            json.add(function.callers?.clients)
        }
    }

    private mutating func add(_ day: DayTally) {
        object(.inline) { json in
            json.member("date", day.day.description)
            json.addMembers(day.counts)
            json.member("admitted", day.counts.admitted(.notRefused))
            json.member("blocked", day.counts.blocked(.notRefused))
            json.member("blockedHours", day.blocked.hourCount)
        }
    }
}
