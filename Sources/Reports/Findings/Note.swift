import Readiness
import Verifications

/// A note below the functions of a report: a finding about the input or a project, or one that functions share.
struct Note {
    let finding: Finding
    /// True for what holds for the whole input.
    var isOfInput = false
    var wording: Wording
    /// The sentence with the number of functions that share it, without their names; nil if it has no list.
    var counted: Wording?

    var isCaution: Bool { finding.urgency != .note }
    /// False for what a short answer only counts.
    var mayChangeAnswer: Bool { isCaution && !finding.display.contains(.countedOnly) }

    /// The note for screens with little room.
    var inBrief: Note {
        finding.display.contains(.whole)
            ? self : Note(finding: finding, isOfInput: isOfInput, wording: wording.firstSentence)
    }

    /// The wording for a line without room for a list.
    var inALine: Wording { counted ?? inBrief.wording }
}

extension Summary {
    private typealias Named = (name: Wording, finding: Finding, text: FindingText)

    /// The warnings for readers of the counts, the most serious first.
    var notes: [Note] {
        let ofInput = inputFindings.map { Note(finding: $0, isOfInput: true, wording: $0.inputWording(self)) }
        let ofProjects = projectFindings.map { project, finding -> Named in
            let isKnown = project != FunctionIdentity.unknown
            let text = FindingText(lead: "No data", item: "\(finding.missingDays)", end: "\(Finding.exportAgain)")
            return (isKnown ? "\(name: project)" : "unknown project", finding, text)
        }
        // One sentence says it where it holds for all.
        let (isOld, names) = (oldLog() != nil, names)
        let ofFunctions = functions.lazy.flatMap { function -> [Named] in
            let assessment = function.assessment
            let shared = assessment.listed.filter { reason in
                switch reason.code {
                // Where a function is not safe, that it failed for a time is no news.
                case .raisedShare: assessment.standing != .notSafe
                case .exportOld: !isOld
                default: reason.display.contains(.shared)
                }
            }
            // Hours of the day are for who looks at one function.
            let notices = function.notices.filter { $0.code != .sameHours }
            return (shared + notices).map { (names[function], $0, $0.text(assessment)) }
        }
        let all = ofInput + notes(ofProjects) + notes(ofFunctions)
        return all.filter(\.isCaution) + all.filter { !$0.isCaution }
    }

    /// Findings with the names of all that share them, which nobody needs where there is one function.
    private func notes(_ found: some Sequence<Named>) -> [Note] {
        let isOne = functions.count == 1
        typealias Group = (finding: Finding, text: FindingText, names: [Wording], items: [Wording])
        var (keys, groups) = ([[String]](), [[String]: Group]())
        for (name, finding, text) in found {
            let shared = text.shared?()
            // Without a way to share a line, those with the same sentence share one.
            let key = [finding.name] + (shared == nil ? [text.sentence().text(ascii: false)] : [])
            if groups[key] == nil {
                keys.append(key)
                groups[key] = (finding, text, [], [])
            }
            groups[key]?.names.append(name)
            groups[key]?.items.append(shared?.item.map { "\(name) (" + $0 + ")" } ?? name)
        }
        return keys.compactMap { key in
            groups[key].map { finding, text, names, items in
                guard let shared = text.shared?() else {
                    return Note(finding: finding, wording: "\(list: items): " + text.sentence())
                }
                let those: Wording =
                    isOne
                    ? shared.item.map { " (" + $0 + ")." } ?? "."
                    : ": \(names.count == 1 ? names[0] : "\(Figures.grouped(names.count)) \(noun.many)")."
                return Note(
                    finding: finding, wording: shared.lead + ": \(list: items)." + shared.end,
                    counted: shared.lead + those)
            }
        }
    }
}

extension JSONWriter {
    /// All findings, each once.
    mutating func addFindings(of summary: Summary) {
        array(.lines, key: "findings") { json in
            for function in summary.functions {
                for finding in function.findings {
                    json.add(
                        !function.identity.isService ? "function" : "service", function.subject, finding,
                        finding.wording(of: function.assessment))
                }
            }
            for (project, finding) in summary.projectFindings {
                json.add("project", ["project": project], finding, finding.projectWording)
            }
            for finding in summary.inputFindings { json.add("input", nil, finding, finding.inputWording(summary)) }
        }
    }

    private mutating func add(_ scope: String, _ subject: Members?, _ finding: Finding, _ wording: Wording) {
        object(.inline) { json in
            json.member("scope", scope)
            json.object("of", subject)
            json.add([
                "code": finding.name, "value": finding.value, "limit": finding.limit,
                "detail": wording.text(ascii: false), "urgency": finding.urgency.rawValue,
            ])
        }
    }
}

extension FunctionSummary {
    /// What a part of a report in JSON is about.
    var subject: JSONWriter.Members {
        identity.isService
            ? ["project": identity.project, "service": identity.name]
            : [
                "project": identity.project, "region": identity.region, "function": key,
                "generation": identity.generation.map { Int($0.rawValue) },
            ]
    }

    /// The caution that the policy lacks the function.
    var policyCaution: Wording? { notices[.missingEntry]?.wording(of: assessment) }
}
