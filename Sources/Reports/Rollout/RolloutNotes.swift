import Readiness
import Rollout
import Verifications

extension RolloutReport {
    /// Warnings for readers of the numbers, and what to do about them.
    var notes: [Wording] { inputNotes + windowNotes + templateNotes + requestNotes + serviceNotes }

    private var inputNotes: [Wording] {
        var notes: [Wording] = []
        if tally.attestations + tally.withoutUser + tally.undated == 0 {
            notes.append(
                tally.logEntries > 0 && tally.logEntries == input.records
                    ? """
                    These are logs of functions, without Google Analytics events: \(code: "callcheck") judges them.
                    """
                    : """
                    The rows hold no \(code: "AppAttestSuccess") and no \(code: "AppAttestFailure") event: export the tables \
                    \(code: "events_YYYYMMDD") of the property that the iOS app writes to.
                    """)
        }
        if tally.withoutUser > 0 {
            notes.append(
                """
                Not counted: \(Figures.counted(tally.withoutUser, "App Attest event")) without \
                \(code: "user_pseudo_id"), of users who did not consent to analytics.
                """)
        }
        if tally.undated > 0 {
            notes.append(
                """
                \(Figures.counted(tally.undated, "App Attest event")) without a date \
                \(tally.undated == 1 ? "is" : "are") not counted: export the rows with \(code: "event_date").
                """)
        }
        let unread = input.malformed + input.oversized + input.unexpected
        if unread > 0 {
            notes.append(
                """
                \(Figures.counted(unread, "record")) could not be read, and may hold failures; \
                \(code: "--format json") says where. Export again.
                """)
        }
        return notes
    }

    private var requestNotes: [Wording] {
        guard let template = assessment.template else { return [] }
        guard let expected = assessment.expectedInvalid else {
            guard tally.logEntries > 0 else { return [] }
            return [
                """
                The \(Figures.counted(tally.logEntries, "log entry", plural: "log entries")) show no request of an iOS \
                app: with the request log (\(code: "run.googleapis.com%2Frequests")), in files that can be read twice, \
                the share of INVALID ones is compared with the rollout's.
                """
            ]
        }
        let observed = Figures.rate(expected.observed)
        let (now, rest) = (Figures.exactRate(template.percent / 100), Figures.exactRate(expected.share))
        let expectation: Wording = """
            About \(rest) INVALID on iOS is expected while \(name: parameter) is at \(now): users without App Attest \
            send a placeholder. 
            """
        guard !expected.explains else {
            return [expectation + "The logs show \(observed), so the rollout explains them: they are not an attack."]
        }
        let comparison: Wording =
            expected.observed < expected.share
            ? """
            The logs show \(observed), which is less: normal where the app falls back to DeviceCheck, or the percentage was \
            higher on some of their days.
            """
            : """
            The logs show \(observed), which is more than the rollout explains: \(code: "callcheck explain FUNCTION") \
            shows the app versions.
            """
        return [expectation + comparison]
    }

    private var serviceNotes: [Wording] {
        guard let share = assessment.services.first?.expected.share else { return [] }
        func list(_ isListed: (ExpectedInvalid) -> Bool) -> Wording? {
            let listed = assessment.services.filter { isListed($0.expected) }
            guard !listed.isEmpty else { return nil }
            return """
                \(list: listed.map { "\(name: $0.service.serviceName) \(Figures.rate($0.expected.observed))" })
                """
        }
        let parts: [Wording?] = [
            "Services count placeholders as INVALID: about \(Figures.exactRate(share)) of iOS requests are expected.",
            list(\.explains).map { "Seen: " + $0 + "." },
            list { !$0.explains && $0.observed > $0.share }.map {
                "More than that: " + $0 + "; INVALID ones of other apps are among them."
            },
            list { !$0.explains && $0.observed < $0.share }.map { "Less than that: " + $0 + "." },
        ]
        return [parts.compactMap(\.self).joined]
    }

    private var windowNotes: [Wording] {
        var notes: [Wording] = []
        if assessment.policy.since == nil, assessment.window != nil, assessment.verdict != .done {
            notes.append(
                """
                This assumes that the percentage did not change on these days. If it did, add \(code: "--since DATE").
                """)
        }
        let (first, returning) = (assessment.counts.firstTime, assessment.counts.returning)
        if returning.users > 0 {
            notes.append(
                """
                Never succeeded: \(Figures.grouped(first.failedOnly)) of \(Figures.counted(first.users, "first-time user")), \
                \(Figures.grouped(returning.failedOnly)) of \(Figures.counted(returning.users, "returning user")).
                """)
        }
        let outdated = assessment.counts.outdated
        if outdated > 0, assessment.reporting != nil {
            notes.append(
                """
                \(Figures.counted(outdated, "user")) \(outdated == 1 ? "has" : "have") an app without App Attest events, \
                or a version from before the first one with them: no event is expected of \(outdated == 1 ? "this user" : "them").
                """)
        }
        if assessment.counts.unsupported > 0 {
            notes.append(
                """
                \(Figures.counted(assessment.counts.unsupported, "user")) \
                \(assessment.counts.unsupported == 1 ? "has" : "have") an iOS older than \
                \(String(RolloutCounts.firstSystem)), which has no App Attest: they need another provider.
                """)
        }
        return notes
    }

    private var templateNotes: [Wording] {
        guard let template = assessment.template else {
            return [
                """
                Without the Remote Config template the percentage is not known: pass the output of \
                \(code: "firebase remoteconfig:get -o template.json") too.
                """
            ]
        }
        var notes: [Wording] = []
        if template.isUnconditional {
            notes.append(
                template.condition.map { condition in
                    """
                    \(name: parameter) is true under the condition \(name: condition), which has no percentage. For a \
                    rollout in steps, add one: \(code: "&& percent <= 1").
                    """
                } ?? """
                    \(name: parameter) is true by default. For a rollout in steps, make it false by default, and true under \
                    a condition with a percentage.
                    """)
        }
        if template.isNarrowed {
            notes.append(
                """
                The condition has further criteria, so fewer than \(Figures.exactRate(template.percent / 100)) of users \
                have App Attest.
                """)
        }
        if !template.exceptions.isEmpty {
            let isOne = template.exceptions.count == 1
            notes.append(
                """
                \(isOne ? "Condition" : "Conditions") \(names: template.exceptions) \(isOne ? "comes" : "come") first and \
                \(isOne ? "leaves" : "leave") \(name: parameter) off: of the users who meet \(isOne ? "it" : "one of them") \
                none has App Attest.
                """)
        }
        if !template.siblings.isEmpty {
            notes.append("The same condition changes \(names: template.siblings): raising it raises them too.")
        }
        return notes
    }

    var basis: Wording {
        let records = Figures.counted(input.records, "record")
        let inputs = Figures.counted(input.sources, "input")
        return """
            Based on \(Figures.counted(tally.attestations, "App Attest event")) in \(records) of \(inputs) \
            (\(Figures.bytes(input.bytesRead))). Users count, not events: a user with a failure and no success never \
            succeeded. The newest \(String(RolloutPolicy.lateDays)) days are not complete in Google Analytics and are not \
            judged.
            """
    }
}
