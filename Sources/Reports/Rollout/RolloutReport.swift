package import Rollout
package import Verifications

/// The answer to whether it is time to raise the App Attest percentage, ready to be written.
package struct RolloutReport: Sendable {
    package static let schema = "callcheck.app-attest/1"

    static let listedVersions = 20
    /// Among so many users some have a device that cannot attest.
    static let usersWithAFailure = 1000

    let assessment: RolloutAssessment
    let tally: EventTally
    let input: InputSummary
    let parameter: String
    /// The file that the changed template is written to; nil where none is.
    let patch: String?

    package init(
        _ assessment: RolloutAssessment, of tally: EventTally, input: InputSummary, parameter: String, patch: String?
    ) {
        (self.assessment, self.tally, self.input) = (assessment, tally, input)
        (self.parameter, self.patch) = (parameter, patch)
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
            json.add(["schema": RolloutReport.schema, "asOf": tally.newest?.description, "parameter": parameter])
            json.object("template", assessment.template.map(templateMembers))
            json.object(.lines, key: "input") { json in
                json.add([
                    "sources": input.sources, "bytesRead": input.bytesRead,
                    "bytesDecompressed": input.bytesDecompressed, "records": input.records,
                    "attestations": tally.attestations, "withoutUser": tally.withoutUser, "undated": tally.undated,
                    "logEntries": tally.logEntries, "malformed": input.malformed, "oversized": input.oversized,
                    "unexpected": input.unexpected,
                ])
                json.addProblems(of: input)
            }
            addCounts(to: &json)
            json.object(
                "expectedInvalid",
                assessment.expectedInvalid.map { expected in
                    [
                        "share": Leaf.shortest(expected.share), "observed": expected.observed,
                        "explains": expected.explains,
                    ]
                })
            json.objects("services", assessment.services) { service, expected in
                [
                    "project": service.project, "service": service.name, "share": Leaf.shortest(expected.share),
                    "observed": expected.observed, "explains": expected.explains,
                ]
            }
            json.member("verdict", assessment.verdict.rawValue)
            json.objects("reasons", assessment.reasons) { reason in
                let (code, value, limit) = reason.facts(assessment.policy)
                return [
                    "code": code, "value": Leaf.shortest(value), "limit": Leaf.shortest(limit),
                    "detail": reason.sentence(assessment).text(ascii: false),
                ]
            }
        }
        json.drain(into: &sink)
    }

    private func templateMembers(_ template: RolloutTemplate) -> JSONWriter.Members {
        [
            "percent": Leaf.shortest(template.percent), "condition": template.condition, "seed": template.seed,
            "default": template.defaultValue, "version": template.version, "next": Leaf.shortest(assessment.next),
        ]
    }

    private func addCounts(to json: inout JSONWriter) {
        func users(_ count: UserCount) -> JSONWriter.Members {
            ["users": count.users, "failedOnly": count.failedOnly]
        }
        json.objects("days", counts.days) { day in
            [
                "date": day.day, "users": day.count.users, "succeeded": day.succeeded, "failed": day.failed,
                "failedOnly": day.count.failedOnly,
            ]
        }
        func known(_ text: String) -> String? { text.isEmpty ? nil : text }
        json.objects("versions", counts.versions.prefix(RolloutReport.listedVersions)) { client, count in
            [
                "app": known(client.app), "version": known(client.version), "os": known(client.os),
                "users": count.users, "failedOnly": count.failedOnly,
            ]
        }
        json.object("unsupported", counts.hasOtherEvents ? ["users": counts.unsupported] : nil)
        json.object("window", assessment.window.map { ["from": $0.lowerBound, "to": $0.upperBound] })
        json.add(users(counts.total))
        json.add([
            "failedRate": assessment.rate, "failedRateUpper": assessment.upper, "failedRateLower": assessment.lower,
        ])
        json.object("firstTime", users(counts.firstTime))
        json.object("returning", users(counts.returning))
        json.member("reporting", assessment.reporting)
    }
}

extension Leaf {
    /// A number as people write it: `25`, `0.02`.
    fileprivate static func shortest(_ value: Double?) -> Leaf {
        value.flatMap { Int(exactly: $0) }?.leaf ?? value.leaf
    }
}
