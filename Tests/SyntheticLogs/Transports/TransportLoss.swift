/// What of an entry does not survive a transport.
///
/// The truth of a log is told without it: what nobody can know from the bytes is no mistake of the one who counts.
public struct TransportLoss: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Project, region, generation, log and labels.
    public static let place = TransportLoss(rawValue: 1)
    /// The name of the function or service.
    public static let name = TransportLoss(rawValue: 2)
    /// `insertId`: copies cannot be told from first ones.
    public static let insertID = TransportLoss(rawValue: 4)
    /// All times.
    public static let time = TransportLoss(rawValue: 8)
    /// What a time has below a microsecond.
    public static let nanoseconds = TransportLoss(rawValue: 16)
    /// The label that marks a verification: only the SDK's text does.
    public static let label = TransportLoss(rawValue: 64)
    /// Whether tokens are valid, because nobody verified them.
    public static let meaning = TransportLoss(rawValue: 32)
}

extension Transport {
    /// What the transport loses.
    public var loss: TransportLoss {
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

    /// True when messages carry a time of their own, for entries that have none.
    public var stampsEntries: Bool {
        self == .pubSubPush || self == .pubSubPull || self == .gcloudPull
    }
}
