/// The parts of an entry that do not survive a transport.
///
/// The truth of a log leaves it out: what nobody can know from the bytes is no mistake of the one who counts.
package struct TransportLoss: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Project, region, generation, log and labels.
    package static let place = TransportLoss(rawValue: 1)
    /// The name of the function or service.
    package static let name = TransportLoss(rawValue: 2)
    /// `insertId`: copies cannot be told from first ones.
    package static let insertID = TransportLoss(rawValue: 4)
    /// All times.
    package static let time = TransportLoss(rawValue: 8)
    /// What a time has below a microsecond.
    package static let nanoseconds = TransportLoss(rawValue: 16)
    /// The label that marks a verification: only the SDK's text does.
    package static let label = TransportLoss(rawValue: 64)
    /// Whether tokens are valid, because nobody verified them.
    package static let meaning = TransportLoss(rawValue: 32)
}

extension Transport {
    /// What the transport loses.
    package var loss: TransportLoss {
        switch self {
        case .lines, .glued, .pretty, .gcloudRead, .gcloudTail, .explorerDownload, .array, .listPages, .tailStream,
            .pubSubPush, .pubSubPull, .gcloudPull, .explorerText:
            []
        case .pythonText: .label
        case .bigQueryExtract, .bigQueryQuery, .logAnalytics, .logAnalyticsText: .nanoseconds
        case .functionsLog: [.place, .insertID]
        case .sdkLines, .pythonStructured, .pythonLines: [.place, .name, .insertID, .time]
        case .emulator, .emulatorColor: [.place, .name, .insertID, .time, .meaning]
        }
    }

    /// True when messages carry their own time, for entries that have none.
    package var stampsEntries: Bool {
        self == .pubSubPush || self == .pubSubPull || self == .gcloudPull
    }
}
