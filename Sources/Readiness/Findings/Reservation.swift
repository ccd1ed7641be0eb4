package import Verifications

/// What an answer depends on: refusals that are accepted, requests and days that do not count.
package enum Reservation: Hashable, Sendable {
    /// Requests of clients that the policy leaves out.
    case leftOut(Int, [ClientKind])
    /// Platforms that enforcement would refuse as a whole, and that the policy accepts; most blocked first.
    case accepted([PlatformCount])
    /// Days without a request that are not taken for a gap, ascending.
    case passedOver([Day])

    var facts: Finding {
        switch self {
        case .leftOut(let requests, _):
            .init("left-out", .advice, value: Double(requests), .caution, [.shared, .inAnswers])
        case .accepted: .init("accepted", .advice, .caution, [.shared, .inAnswers, .ofReadiness])
        case .passedOver(let days):
            .init(
                "passed-over", .advice, value: Double(days.count), .caution,
                [.shared, .inAnswers, .ofReadiness, .countedOnly])
        }
    }

    static func find(_ function: FunctionSummary) -> [Reason] {
        let assessment = function.assessment
        let (leftOut, days) = (assessment.counts.leftOut, assessment.counts.passedOver)
        let platforms = assessment.acceptedRefusals
        return [
            leftOut > 0 ? Reservation.leftOut(leftOut, assessment.policy.numbers.ignoredClients.sorted()) : nil,
            platforms.isEmpty ? nil : .accepted(platforms), days.isEmpty ? nil : .passedOver(days),
        ].compactMap { $0.map(Reason.reservation) }
    }
}
