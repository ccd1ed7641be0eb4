import Readiness
import Verifications

/// Everything that the page says about one function.
struct FunctionCard {
    private let function: FunctionSummary
    private let number: Int
    private let page: HTMLPage
    private let judged: Window?

    init(_ function: FunctionSummary, number: Int, page: HTMLPage) {
        self.function = function
        self.number = number
        self.page = page
        judged = function.assessment.judgedDays(asOf: page.summary.asOf)
    }

    private var assessment: Assessment {
        function.assessment
    }

    /// The part of identifiers in the page that tells functions apart.
    private var id: String {
        "f\(number)"
    }

    private var identity: FunctionIdentity {
        function.identity
    }

    /// For the template `row`.
    var row: Fields {
        common.merging([
            "requests": .text(Figures.grouped(function.tally.totals.total)),
            "requestCount": .text(String(function.tally.totals.total)),
            "rate": .text(shownRate.map { Figures.rate($0) }),
            "rateValue": .text(shownRate.map { String($0) } ?? ""),
            "bound": .text(RateBounds(assessment)?.label(limit: limit)),
            "brief": .fields(function.brief.fields),
            "ready": .text(page.ready(function)?.text), "readyDay": .text(page.ready(function)?.day ?? ""),
        ])
    }

    /// For the template `card`.
    var card: Fields {
        let plot = page.days.flatMap {
            DayPlot(
                function, days: $0, judged: judged,
                coveredDays: page.summary.projects[ExactName(identity.project)].map { Set($0.coveredDays) })
        }
        var chart = plot?.fields
        chart?["title"] = .text(chartTitle)
        chart?["description"] = .text(chartDescription.text(ascii: false))
        chart?["hasBound"] = .flag(RateBounds(assessment) != nil)
        return common.merging([
            "meaning": .text(assessment.pageMeaning),
            "brief": .fields(function.brief.fields),
            "places": .list(places),
            "chart": .fields(chart),
            "reasons": .list(reasons.map(\.fields)),
            "who": .fields(who),
            "forecast": .fields(page.forecast(function)?.fields),
            "facts": .list(facts.map { ["fact": .text($0.name), "text": .fields($0.text.fields)] }),
            "table": .fields(plot.map { DayRows($0.cells).fields }),
        ])
    }

    private var common: Fields {
        [
            "id": .text(id), "name": .text(DisplayText(name: function.name).text),
            "project": .text(DisplayText(name: identity.project).text),
            "region": .text(DisplayText(name: identity.region).text),
            "mark": .text(assessment.mark(unicode: true)), "tone": .text(assessment.pageTone),
            "label": .text(assessment.word),
            "where": .text(page.telling(identity)),
        ]
    }

    private var limit: Double {
        assessment.policy.numbers.maxBlocked
    }

    /// The blocked rate of the days that were judged; of a log that does not show what passes it means nothing.
    private var shownRate: Double? {
        for case .settled(.lockout(_, _, let blocked, let admitted)) in assessment.reasons {
            return Double(blocked) / Double(max(1, admitted))
        }
        return assessment.verdict == .blind || assessment.verdict == .enforced
            ? nil : assessment.evidence.blockedRate
    }

    private var places: [Fields] {
        let known = [identity.project, identity.region].filter { $0 != FunctionIdentity.unknown }
        let generation = identity.generation.map { ["generation \($0.rawValue)"] } ?? []
        return (known + generation).map { ["place": .text(DisplayText(name: $0).text)] }
    }

    private var reasons: [Wording] {
        switch function.listing {
        case .seen: assessment.reasons.isEmpty ? [Explanation.pooled] : assessment.reasonWordings
        case .deployed(let trigger): [Explanation.deployed(trigger)]
        case .unmatched: ["\(function.brief)."]
        }
    }

    private var who: Fields? {
        guard let refusals = Refusals(assessment, days: judged) else { return nil }
        return [
            "title": .text(refusals.title), "sentence": .fields(refusals.sentence.fields),
            "hasGroups": .flag(!refusals.groups.isEmpty),
            "groups": .list(
                refusals.groups.map { group in
                    [
                        "label": .text(group.label), "meaning": .text(group.meaning),
                        "count": .text(Figures.grouped(group.count)),
                        "share": .text(Figures.percent(group.count, of: refusals.blocked)),
                    ]
                }),
        ]
    }

    private var facts: [(name: String, text: Wording)] {
        var facts: [(name: String, text: Wording)] = []
        if let judged, assessment.evidence.admitted > 0 {
            let span = CalendarText.span(from: judged.from, to: judged.to, dash: "–")
            facts.append(("Judged", "\(span) (\(Figures.counted(judged.dayCount, "day")))"))
        }
        if let bounds = RateBounds(assessment) {
            facts.append(
                (
                    "True share",
                    """
                    \(bounds.words(limit: limit)), with \
                    \(Figures.exactRate(assessment.policy.numbers.confidence)) confidence; allowed: \
                    \(Figures.exactRate(limit))
                    """
                ))
        }
        let signedIn = assessment.signedIn
        if signedIn.verdict != assessment.verdict, assessment.judgedCallers == .notRefused,
            signedIn.evidence.admitted > 0
        {
            facts.append(("Signed-in callers alone", "\(signedIn.verdict.word)"))
        }
        if let since = assessment.safeSince {
            facts.append(("Safe", "without a break since \(CalendarText.day(since))"))
        }
        return facts
    }

    // MARK: The chart in words

    private var chartTitle: String {
        let span = page.days.map {
            ", " + CalendarText.span(from: $0.range.lowerBound, to: $0.range.upperBound, dash: "–")
        }
        let refusal = assessment.enforcedSince == nil ? "that enforcement would refuse" : "without a valid token"
        return "Requests by day, and the share of them \(refusal)\(span ?? "")"
    }

    private var chartDescription: Wording {
        guard let judged else { return "No day was judged." }
        let span = CalendarText.span(from: judged.from, to: judged.to, dash: "–")
        guard let bounds = RateBounds(assessment) else { return "Judged: \(span). \(function.brief)." }
        return """
            Judged: \(span). \(assessment.enforcedSince == nil ? "Would be refused" : "Refused"): \(shownRate.map { Figures.rate($0) } ?? "0%"), \
            \(bounds.words(limit: limit)); the limit is \(Figures.exactRate(limit)). The table below has the numbers.
            """
    }
}
