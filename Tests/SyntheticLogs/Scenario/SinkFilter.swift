package import Verifications

/// What a log sink lets through.
///
/// Many exports are filtered without anybody remembering it: `severity>=WARNING` drops every passed verification,
/// a sink for standard output alone drops every failed one.
package struct SinkFilter: Sendable {
    package var minimumSeverity: Severity
    package var logs: Set<Log>
    /// The last day of logs whose export was switched off.
    package var lastDays: [Log: Day] = [:]

    package init(minimumSeverity: Severity = .default, logs: Set<Log> = Set(Log.allCases)) {
        self.minimumSeverity = minimumSeverity
        self.logs = logs
    }

    func admits(_ entry: LogEntry) -> Bool {
        guard entry.severity >= minimumSeverity && logs.contains(entry.log) else { return false }
        guard let lastDay = lastDays[entry.log], let day = entry.timestamp?.day else { return true }
        return day <= lastDay
    }
}
