import Readiness
import Verifications

extension Summary {
    private typealias Named = (name: Wording, statement: Statement)

    /// The statements below the functions of a report, the most serious first: on the input or a project, and those
    /// that functions share.
    var notes: [Statement] { notes(failOn: .unsure) }

    /// A gate that looks for lock-outs does not ask whether enforcement can be switched on.
    func notes(failOn: Gate.FailOn) -> [Statement] {
        func isAsked(_ finding: Finding, of function: FunctionSummary) -> Bool {
            failOn != .lockout || !finding.display.contains(.ofReadiness)
                || finding.display.contains(.afterSwitch) && function.assessment.enforcement.isOn
        }
        let ofInput = inputFindings.map { $0.statement(of: self) }
        let ofProjects = projectFindings.map { project, finding -> Named in
            let isKnown = project != FunctionIdentity.unknown
            return (isKnown ? "\(name: project)" : "unknown project", finding.statementOfProject)
        }
        // One sentence says it where it holds for all.
        let (isOld, names) = (oldLog() != nil, names)
        let ofFunctions = functions.lazy.flatMap { function -> [Named] in
            let assessment = function.assessment
            let shared = assessment.listed.filter { reason in
                switch reason.code {
                // Where a function is not safe, that it failed for a time is no news.
                case .raisedShare: assessment.gateClass != .notSafe
                case .exportOld: !isOld
                default: reason.display.contains(.shared)
                }
            }
            // Hours of the day are for who looks at one function.
            let notices = function.notices.filter { $0.code != .sameHours }
            return (shared + notices).filter { isAsked($0, of: function) }
                .map { (names[function], $0.statement(of: assessment)) }
        }
        let all = ofInput + notes(ofProjects) + notes(ofFunctions)
        return all.filter(\.isCaution) + all.filter { !$0.isCaution }
    }

    /// Findings with the names of all that share them, which nobody needs where there is one function.
    private func notes(_ found: some Sequence<Named>) -> [Statement] {
        typealias Group = (statement: Statement, names: [Wording], items: [Wording])
        var (keys, groups) = ([[String]](), [[String]: Group]())
        for (name, statement) in found {
            // Without a way to share a line, those with the same sentence share one.
            let key =
                [statement.finding.name] + (statement.shared == nil ? [statement.sentence.text(ascii: false)] : [])
            if groups[key] == nil {
                keys.append(key)
                groups[key] = (statement, [], [])
            }
            groups[key]?.names.append(name)
            groups[key]?.items.append(statement.shared?.item.map { "\(name) (" + $0 + ")" } ?? name)
        }
        return keys.compactMap { groups[$0] }.map { statement, names, items in
            let finding = statement.finding
            guard let shared = statement.shared else {
                let sentence: Wording = "\(list: items): " + statement.sentence
                return Statement(finding: finding, sentence: sentence, short: sentence.inBrief(finding))
            }
            // The number of functions where there is no room for a list.
            let those: Wording =
                functions.count == 1
                ? shared.item.map { " (" + $0 + ")." } ?? "."
                : ": \(names.count == 1 ? names[0] : "\(Figures.grouped(names.count)) \(noun.many)")."
            return Statement(
                finding: finding, sentence: shared.lead + ": \(list: items)." + shared.end, short: shared.lead + those)
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
                        !function.identity.isService ? "function" : "service", function.subject,
                        finding.statement(of: function.assessment))
                }
            }
            for (project, finding) in summary.projectFindings {
                json.add("project", ["project": project], finding.statementOfProject)
            }
            for finding in summary.inputFindings { json.add("input", nil, finding.statement(of: summary)) }
        }
    }

    private mutating func add(_ scope: String, _ subject: Members?, _ statement: Statement) {
        object(.inline) { json in
            json.member("scope", scope)
            json.object("of", subject)
            let finding = statement.finding
            json.add([
                "code": finding.name, "value": finding.value, "limit": finding.limit,
                "detail": statement.sentence.text(ascii: false), "urgency": finding.urgency.rawValue,
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
    var policyCaution: Wording? { notices[.missingEntry]?.statement(of: assessment).sentence }
}
