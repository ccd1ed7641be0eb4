import Verifications

/// What a client sends so that a function that logs its requests writes an entry like the SDK's.
///
/// The functions framework sets the label `execution_id` of every line anew, and Cloud Logging the labels of the
/// instance. All else is the client's where the function's logger spreads what it got over the line: label, statuses,
/// `time`, `logging.googleapis.com/insertId`, `…/spanId`, and with newer loggers the message.
package enum Forgery: String, CaseIterable, Sendable {
    /// The SDK's text, which the function logs as it is: `logger.info(data.text)`.
    case text
    /// The label and statuses, beside the function's own message: `logger.info("got", data)`.
    case label
    /// The label and statuses, and no message anywhere: `logger.info(data)`.
    case silence
    /// The same, stamped three hours before the SDK's entry.
    case earlierSilence
    /// The label in the payload, spelled as BigQuery does, and a list where the framework looks for labels: so it finds
    /// no place for `execution_id`. The `spanId` is the client's too.
    case misplacedLabel
    /// The label, and a message of the SDK that does not go with the statuses.
    case contradiction
    /// All that the SDK writes.
    case repetition
    /// The same, with the label `execution_id` of the client's choice.
    case foreignExecution
    /// The same, with a `spanId` of the client's choice.
    case foreignSpan
    /// The same, stamped three hours before.
    case earlier
    /// The same, stamped two days before.
    case longAgo
    /// The same, stamped three hours ahead.
    case ahead
    /// The same, with the `insertId` of the SDK's own entry.
    case foreignInsertID

    /// How a reader can tell that the entry is not the SDK's.
    enum Flaw {
        case unlabelled
        case otherMessage
    }

    /// What is wrong with the entry by itself; nil when nothing is.
    var flaw: Flaw? {
        switch self {
        case .text: .unlabelled
        case .label, .silence, .earlierSilence, .misplacedLabel, .contradiction: .otherMessage
        default: nil
        }
    }

    /// Seconds from the SDK's entry to the time that the client wrote into its own.
    var secondsStamped: Int64 {
        switch self {
        case .earlier, .earlierSilence: -3 * 3600
        case .longAgo: -48 * 3600
        case .ahead: 3 * 3600
        default: 0
        }
    }
}
