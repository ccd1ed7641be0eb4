import Readiness
import Verifications

extension Explanation {
    /// What happened since the switch, beside what had been predicted; and how to go back, where that is more.
    var aftermathSection: Document.Section? {
        guard let aftermath = function.assessment.aftermath else { return nil }
        var blocks: [Document.Block] = [.paragraph(aftermath.wording)]
        if aftermath.answer == .more, !function.assessment.isLockout {
            blocks += EnforcementCode(function).rollback
        }
        return Document.Section(title: "Since enforcement", blocks: blocks)
    }
}

extension Aftermath {
    /// Since when, how many are refused, how many were predicted, and whether that fits.
    var wording: Wording {
        let start = since.map { "Since \(CalendarText.day($0))" } ?? "Since before the log begins"
        let known = source == .log ? " at the latest, as the log shows" : ", as the policy says"
        return """
            \(start)\(since == nil ? ", as the log shows" : known): \(Figures.grouped(refused)) of \
            \(Figures.counted(requests, "request")) refused, \(Figures.amount(refusedPerDay)) a day; \
            \(Figures.grouped(refusedSignedIn)) of them from people who are signed in. 
            """ + prediction
    }

    /// The same in one sentence, for a function that is named.
    var news: Wording {
        let fit: Wording =
            switch answer {
            case .asPredicted, nil: "as predicted"
            case .more: "more than predicted"
            case .fewer: "fewer than predicted"
            }
        let expected = predictedPerDay.map { " (\(Figures.amount($0)) a day predicted)" } ?? ""
        let advice: Wording =
            answer == .more ? " To roll back, redeploy it without enforcement, which takes minutes." : ""
        return "enforcement refuses \(Figures.amount(refusedPerDay)) requests a day, \(fit)\(expected)." + advice
    }

    private var prediction: Wording {
        guard let predictedPerDay, let predictedPerDayUpper else {
            return since == nil
                ? "What had been predicted is not known, as the day of the switch is not."
                : "Nothing had been predicted: the log has no requests from before."
        }
        let predicted: Wording = """
            Predicted the day before: \(Figures.amount(predictedPerDay)) a day, at most \
            \(Figures.amount(predictedPerDayUpper, .up)). 
            """
        return switch answer {
        case .asPredicted: predicted + "That is as predicted."
        case .more: predicted + "That is more than predicted, beyond chance."
        case .fewer: predicted + "That is fewer than predicted, beyond chance."
        case nil: predicted + "There are too few requests to compare them."
        }
    }
}
