import Readiness
import Verifications

/// What reports print below the functions: a finding about the input or a project, or one that functions share.
struct Note {
    let finding: Finding
    /// True for what holds for the whole input.
    var isOfInput = false
    var wording: Wording

    var isCaution: Bool { finding.urgency != .note }
    /// False for what a short answer only counts.
    var mayChangeAnswer: Bool { isCaution && !finding.display.contains(.countedOnly) }

    /// What screens print where there is little room.
    var inBrief: Note {
        finding.display.contains(.whole)
            ? self : Note(finding: finding, isOfInput: isOfInput, wording: wording.firstSentence)
    }
}

extension Summary {
    /// What would mislead a reader of the counts, the most serious first.
    var notes: [Note] {
        let ofInput = inputFindings.map { Note(finding: $0.facts, isOfInput: true, wording: $0.words.sentence()) }
        let ofProjects = projectFindings.map { project, finding in
            Note(finding: finding.facts, wording: "\(name: project): " + finding.words.sentence())
        }
        // One sentence says it where it holds for all.
        let isOld = oldLog() != nil
        let all =
            ofInput + ofProjects
            + notes { function in
                // Where a function is not safe, its bad days are no news.
                let isNotSafe = function.assessment.standing == .notSafe
                return function.assessment.listed.filter { reason in
                    switch reason {
                    case .excess(.badDay): !isNotSafe
                    case .silence(.exportOld): !isOld
                    default: reason.display.contains(.shared)
                    }
                } + function.notices
            }
        return all.filter(\.isCaution) + all.filter { !$0.isCaution }
    }

    /// What some functions have, each finding with the names of all that share it.
    private func notes(_ findings: (FunctionSummary) -> [Reason]) -> [Note] {
        struct Key: Hashable {
            let code: String
            let sentence: String
        }
        let names = names
        var (keys, groups) = ([Key](), [Key: (reason: Reason, words: Words, items: [Wording])]())
        for function in functions {
            for reason in findings(function) {
                let words = reason.words(function.assessment)
                let shared = words.shared?()
                // Without a way to share a line, functions share one if they have the same sentence.
                let key = Key(
                    code: reason.code, sentence: shared == nil ? words.sentence().text(ascii: false) : "")
                let item = shared?.item.map { "\(names[function]) (" + $0 + ")" } ?? names[function]
                if groups[key] == nil {
                    keys.append(key)
                    groups[key] = (reason, words, [])
                }
                groups[key]?.items.append(item)
            }
        }
        return keys.compactMap { key in
            groups[key].map { reason, words, items in
                let wording: Wording =
                    words.shared.map { words in
                        let shared = words()
                        return shared.lead + ": \(list: items)." + shared.end
                    } ?? "\(list: items): " + words.sentence()
                return Note(finding: reason.facts, wording: wording)
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
                    json.add("function", function.path, finding.facts, finding.wording(of: function.assessment))
                }
            }
            for (project, finding) in summary.projectFindings {
                json.add("project", project, finding.facts, finding.words.sentence())
            }
            for finding in summary.inputFindings { json.add("input", nil, finding.facts, finding.words.sentence()) }
        }
    }

    private mutating func add(_ scope: String, _ name: String?, _ finding: Finding, _ wording: Wording) {
        object(
            nil,
            [
                "scope": scope, "of": name, "code": finding.code, "value": finding.value, "limit": finding.limit,
                "detail": wording.text(ascii: false), "urgency": finding.urgency.rawValue,
            ])
    }
}

extension FunctionSummary {
    /// `demo-prod/us-central1/addMessage`.
    var path: String { "\(identity.project)/\(identity.region)/\(name)" }

    /// Where the policy lacks the function, or contradicts the log.
    var policyCaution: Wording? {
        notices.lazy.compactMap { notice in
            switch notice {
            case .enforcement(.contradicted), .enforcement(.missingEntry): notice.wording(of: self.assessment)
            default: nil
            }
        }.first
    }
}
