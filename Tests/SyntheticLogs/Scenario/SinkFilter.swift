public import Verifications

/// What a log sink lets through.
///
/// Many exports are filtered without anybody remembering it: `severity>=WARNING` drops every passed verification,
/// a sink for standard output alone drops every failed one.
public struct SinkFilter: Sendable {
    public var minimumSeverity: Severity
    public var logs: Set<Log>
    /// The last day of logs whose export was switched off.
    public var lastDays: [Log: Day] = [:]

    public init(minimumSeverity: Severity = .default, logs: Set<Log> = Set(Log.allCases)) {
        self.minimumSeverity = minimumSeverity
        self.logs = logs
    }

    func admits(_ entry: LogEntry) -> Bool {
        guard entry.severity >= minimumSeverity && logs.contains(entry.log) else { return false }
        guard let lastDay = lastDays[entry.log], let day = entry.timestamp?.day else { return true }
        return day <= lastDay
    }
}
