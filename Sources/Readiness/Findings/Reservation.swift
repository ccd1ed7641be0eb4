import Verifications

extension Finding.Code {
    /// Requests of clients that the policy leaves out.
    package static let leftOut = Finding.Code("left-out", .advice, .caution, [.shared, .inAnswers])
    /// Requests of programs, which do not count; ``Finding/names`` has their kinds.
    package static let programsLeftOut = Finding.Code(
        "programs-left-out", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .afterSwitch])
    /// Platforms that enforcement would refuse as a whole, and that the policy accepts.
    package static let accepted = Finding.Code(
        "accepted", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .afterSwitch])
    /// Days without a request that are not taken for a gap, ascending.
    package static let passedOver = Finding.Code(
        "passed-over", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .countedOnly])
}

/// Reservations about an answer: refusals that are accepted, requests and days that do not count.
enum Reservation {
    static func find(_ function: FunctionSummary) -> [Finding] {
        let assessment = function.assessment
        let (leftOut, days) = (assessment.leftOut, assessment.passedOver)
        return [
            assessment.programs > 0
                ? Finding(
                    code: .programsLeftOut, value: Double(assessment.programs),
                    names: assessment.clients?.programs.sums { $0.kind }.map(\.key.name) ?? []) : nil,
            leftOut > 0 ? Finding(code: .leftOut, value: Double(leftOut)) : nil,
            assessment.acceptedRefusals.isEmpty ? nil : Finding(code: .accepted),
            days.isEmpty ? nil : Finding(code: .passedOver, value: Double(days.count), days: days),
        ].compactMap(\.self)
    }
}
