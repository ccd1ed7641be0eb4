import Readiness
import Verifications

extension Explanation {
    /// The verdict, the evidence, what would change the answer, and what to do next.
    func document(policyFile: String?) -> Document {
        var document = Document(title: title, isTitledOnTerminals: true)
        document.add([.answer(answer)])
        document.sections += sections
        document.add(basis(policyFile))
        return document
    }

    /// The same for a page, whose card has the sections.
    func page(policyFile: String?) -> Document {
        var document = Document(title: ["App Check on callable functions"])
        var answer = answer
        answer.conclusion = "\(name: function.name): " + answer.conclusion
        document.add([.answer(answer), .facts(summary.context)])
        document.add([.table(.ofVerdicts(summary))])
        document.add(basis(policyFile))
        return document
    }

    var sections: [Document.Section] {
        [
            whySection, daySection, clientSection, callerSection, certaintySection, outlookSection, changeSection,
            nextSection,
        ].compactMap { $0 }
    }

    /// What a page of many functions says about each, with who would be refused first.
    var card: [Document.Section] {
        [clientSection, callerSection, whySection, outlookSection, daySection].compactMap { $0 }
    }

    private var answer: Document.Answer {
        let assessment = function.assessment
        // In a table, the column head says what the number is.
        let isRate = assessment.verdict == .enforce || assessment.verdict == .wait
        return Document.Answer(
            tone: assessment.isLockout ? .wait : assessment.verdict, conclusion: "\(assessment.word)",
            reason: ": \(function.brief)" + (isRate ? " would be refused" : ""))
    }

    private func basis(_ policyFile: String?) -> [Document.Block] {
        let notes = summary.notes.filter { note in
            // The other functions are left out on purpose.
            if case .filtered = note { false } else { true }
        }
        return [.provenance(summary.provenance), .provenance(terms(policyFile))] + notes.map { .note($0) }
    }

    private var title: [Wording] {
        let identity = function.identity
        let places = [identity.project, identity.region].filter { $0 != FunctionIdentity.unknown }
        return ["\(name: function.name)"] + places.map { "\(name: $0)" }
            + (identity.generation.map { ["generation \(String($0.rawValue))"] } ?? [])
    }

    /// Which settings apply to this function, and which entries of the policy set them.
    private func terms(_ policyFile: String?) -> Wording {
        let policy = function.assessment.policy
        let since = policy.since.map { "; days before \(CalendarText.day($0)) do not count" } ?? ""
        guard let policyFile, !policy.lines.isEmpty else { return policy.numbers.terms + "\(since)." }
        let lines = policy.lines.map(String.init).joined(separator: ", ")
        let noun = policy.lines.count == 1 ? "line" : "lines"
        return policy.numbers.terms + "\(since). Entries of \(name: policyFile) apply: \(noun) \(lines)."
    }

    private var whySection: Document.Section {
        let reasons = function.assessment.reasonWordings.map { Document.Block.item($0) }
        return Document.Section(
            title: function.assessment.verdict.meaning,
            blocks: (reasons.isEmpty ? [.item(Explanation.pooled)] : reasons) + listingBlocks)
    }

    static let pooled: Wording = """
        Functions beyond \(code: "--max-functions") are counted together; that says nothing about any one of them.
        """

    /// True for a function that an inventory names and nobody calls: nothing more can be said of it.
    var isDeployedOnly: Bool {
        if case .deployed = function.listing { true } else { false }
    }

    private var listingBlocks: [Document.Block] {
        guard case .deployed(let trigger) = function.listing else { return [] }
        return [.item(Explanation.deployed(trigger))]
    }

    /// What can be said of a function that an inventory names and nobody calls.
    static func deployed(_ trigger: InventoryEntry.Trigger) -> Wording {
        let doubt: Wording =
            trigger == .callable ? "" : " The inventory does not say whether it is a callable function."
        return """
            It is deployed, but nobody calls it. If the app has not launched yet, enforce now: nobody can be refused. \
            If it has, callcheck cannot tell.
            """ + doubt
    }

    private var daySection: Document.Section? {
        guard !DayChart(self).rows.isEmpty else { return nil }
        return Document.Section(title: "Requests by day", blocks: [.chart(self)])
    }
}
