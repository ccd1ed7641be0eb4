package import Rollout
package import Verifications

/// Whether it is time to raise the App Attest percentage, ready to be written.
package struct RolloutReport: Sendable {
    package static let schema = "callcheck.rollout/1"

    static let listedVersions = 20

    let assessment: RolloutAssessment
    let tally: EventTally
    let input: InputSummary
    let parameter: String
    /// The file that the changed template is written to; nil where none is.
    let patch: String?
    /// The store that keeps the days; nil where none does.
    let store: String?

    package init(
        _ assessment: RolloutAssessment, of tally: EventTally, input: InputSummary, parameter: String, patch: String?,
        store: String? = nil
    ) {
        (self.assessment, self.tally, self.input) = (assessment, tally, input)
        (self.parameter, self.patch, self.store) = (parameter, patch, store)
    }

    package func writeTable(_ style: TerminalStyle, to sink: inout some TextOutputStream) {
        TerminalRenderer.write(document, style, to: &sink)
    }

    package func writeMarkdown(to sink: inout some TextOutputStream) {
        MarkdownRenderer().write(document, to: &sink)
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", RolloutReport.schema)
            json.member("asOf", tally.newest?.description)
            json.member("parameter", parameter)
            json.add(assessment.template, next: assessment.next)
            json.add(tally, input)
            json.add(assessment.counts, reporting: assessment)
            json.add(assessment.expectedInvalid)
            json.member("verdict", assessment.verdict.rawValue)
            json.array(.lines, key: "reasons") { json in
                for reason in assessment.reasons {
                    let (code, value, limit) = reason.facts(assessment.policy)
                    json.object(.inline) { json in
                        json.member("code", code)
                        json.member(number: "value", value)
                        json.member(number: "limit", limit)
                        json.member("detail", reason.sentence(assessment).text(ascii: false))
                    }
                }
            }
        }
        json.drain(into: &sink)
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ template: RolloutTemplate?, next: Double?) {
        guard let template else { return null("template") }
        object(.inline, key: "template") { json in
            json.member(number: "percent", template.percent)
            json.member("condition", template.condition)
            json.member("seed", template.seed)
            if let value = template.defaultValue { json.member("default", value) } else { json.null("default") }
            json.member("version", template.version)
            json.member(number: "next", next)
        }
    }

    fileprivate mutating func add(_ tally: EventTally, _ input: InputSummary) {
        object(.lines, key: "input") { json in
            json.member("sources", input.sources)
            json.member("bytesRead", input.bytesRead)
            json.member("bytesDecompressed", input.bytesDecompressed)
            json.member("records", input.records)
            json.member("attestations", tally.attestations)
            json.member("withoutUser", tally.withoutUser)
            json.member("undated", tally.undated)
            json.member("logEntries", tally.logEntries)
            json.member("malformed", input.malformed)
            json.member("oversized", input.oversized)
            json.member("unexpected", input.unexpected)
            json.addProblems(of: input)
        }
    }

    fileprivate mutating func add(_ counts: RolloutCounts, reporting assessment: RolloutAssessment) {
        array(.lines, key: "days") { json in
            for day in counts.days {
                json.object(.inline) { json in
                    json.member("date", day.day.description)
                    json.member("users", day.count.users)
                    json.member("succeeded", day.succeeded)
                    json.member("failed", day.failed)
                    json.member("failedOnly", day.count.failedOnly)
                }
            }
        }
        array(.lines, key: "versions") { json in
            for (client, count) in counts.versions.prefix(RolloutReport.listedVersions) {
                json.object(.inline) { json in
                    for (key, text) in [("app", client.app), ("version", client.version), ("os", client.os)] {
                        json.member(key, text.isEmpty ? nil : text)
                    }
                    json.addMembers(count)
                }
            }
        }
        if counts.hasOtherEvents {
            object(.inline, key: "unsupported") { $0.member("users", counts.unsupported) }
        } else {
            null("unsupported")
        }
        addWindow(assessment.window)
        addMembers(counts.total)
        member("failedRate", assessment.rate)
        member("failedRateUpper", assessment.upper)
        member("failedRateLower", assessment.lower)
        object(.inline, key: "firstTime") { $0.addMembers(counts.firstTime) }
        object(.inline, key: "returning") { $0.addMembers(counts.returning) }
        member("reporting", assessment.reporting)
    }

    fileprivate mutating func add(_ expected: ExpectedInvalid?) {
        guard let expected else { return null("expectedInvalid") }
        object(.inline, key: "expectedInvalid") { json in
            json.member(number: "share", expected.share)
            json.member("observed", expected.observed)
            json.member("explains", expected.explains)
        }
    }

    private mutating func addMembers(_ count: UserCount) {
        member("users", count.users)
        member("failedOnly", count.failedOnly)
    }

    /// A number as people write it: `25`, `0.02`.
    fileprivate mutating func member(number key: String, _ value: Double?) {
        if let value, let whole = Int(exactly: value) { member(key, whole) } else { member(key, value) }
    }
}
