public import Readiness
import Verifications

/// What `check` was asked, beside the summary: enough to say in words what came of it.
public struct GateCheck: Hashable, Sendable {
    public var gate: Gate
    /// True when a malformed record alone fails the check (`--strict`).
    public var isStrict: Bool
    /// The policy file's name, printable; nil without one.
    public var policyFile: String?

    public init(_ gate: Gate, isStrict: Bool = false, policyFile: String? = nil) {
        self.gate = gate
        self.isStrict = isStrict
        self.policyFile = policyFile
    }

    /// What the functions were held against.
    func terms(_ summary: Summary) -> Wording {
        let file: Wording = policyFile.map { "; exceptions by \(name: $0)" } ?? ""
        return summary.policy.terms + file + "."
    }

    /// True when what was read is not all that there is, so that nothing it shows can be a pass.
    func isIncomplete(_ summary: Summary) -> Bool {
        !summary.input.faults.isEmpty || isStrict && summary.input.malformed > 0
    }
}

extension Summary {
    /// The functions as a gate lists them: those that speak against it first, each kind in the usual order.
    func functionsByStanding(for gate: Gate = Gate(failOn: .unsure)) -> [FunctionSummary] {
        [Standing.lockedOut, .notSafe, .unsure, .clear].flatMap { standing in
            functions.filter { gate.standing(of: $0.assessment) == standing }
        }
    }

    /// The names of some functions, each once, with the region where several have one name.
    func names(of some: [FunctionSummary]) -> [String] {
        var regions: [ExactName: Set<ExactName>] = [:]
        for function in functions {
            regions[ExactName(function.name), default: []].insert(ExactName(function.identity.region))
        }
        var seen: Set<ExactName> = []
        return some.map { function in
            let isShared = (regions[ExactName(function.name)]?.count ?? 0) > 1
            return isShared ? "\(function.name) in \(function.identity.region)" : function.name
        }.filter { seen.insert(ExactName($0)).inserted }
    }
}
