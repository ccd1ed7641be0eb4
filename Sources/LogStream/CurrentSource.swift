internal import Verifications

/// All that is known of the source that is being read; made anew for each.
struct CurrentSource {
    let name: String
    var summary = InputSummary()
    var unread = UnreadCount()
    private(set) var container = Container.lines
    /// True for Pub/Sub messages, whose entries are base64: no search finds them, so each record is parsed.
    private(set) var isPubSub = false
    /// True for the output of the emulator, whose web page also shows each object over several lines.
    private(set) var isEmulator = false
    /// True while a page with something else in it is read: what the framer takes for no page must not come back as
    /// one.
    var isInDamagedPage = false
    /// True while the entries of one message are read: a message among them is not looked into.
    var isInBatch = false
    /// True after the first entry: the rest of the source is then not an application's own output.
    var hasEntries = false
    var hasLabelled = false
    var lacksStatuses = false
    /// Entries that may be verifications without statuses: they are if the source holds no labelled verification.
    var stripped = 0
    var pull = PullEnd()
    var counts: CountsReader?
    var services: ServicesReader?

    /// True for counts of queries or of services, which hold no records of a log.
    var holdsCounts: Bool { counts != nil || services != nil }

    init(_ name: String = "", _ container: Container = .lines, isPubSub: Bool = false) {
        (self.name, self.container, self.isPubSub) = (name, container, isPubSub)
    }

    /// Takes note of what the beginning shows.
    mutating func recognise(_ sample: Sample, _ options: ScanOptions) {
        container = Container.recognise(sample)
        isPubSub = PubSub.isIn(sample)
        isEmulator = container == .console && sample.lines.contains { EmulatorLine($0) != nil }
        counts = CountsReader(sample)
        if container == .services { services = ServicesReader(horizon: options.horizon) }
    }
}
