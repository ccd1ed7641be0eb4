import Entries
import Foundation
import LogStream
import TestSupport
import Verifications

/// Sources as a store has them: they share the parts of a day, but for entries without any time.
struct MadeStore {
    private(set) var sources: [SourceRecord] = []
    private(set) var names: [UInt64: ServiceName] = [:]
    private(set) var versions = ClientVersions()
    private(set) var parts: [DayIndex: [PackedPart]] = [:]

    /// Takes logs, each once: all share the parts of a day, or each has its own.
    init(_ logs: [LogInput], isMerged: Bool = true, configure: (inout LogAnalysis) -> Void = { _ in }) {
        var shared: [DayIndex: [UInt64: DayEntries]] = [:]
        for log in logs {
            let source = MadeStore.source(log, configure: configure)
            guard !sources.contains(where: { $0.contents == source.record.contents }) else { continue }
            sources.append(source.record)
            versions.merge(source.versions)
            for (hash, name) in source.names { names[hash, default: ServiceName()].merge(name) }
            for (day, services) in source.days {
                let isOwn = day == .none
                if isMerged, !isOwn {
                    for (hash, entries) in services {
                        shared[day, default: [:]][hash, default: DayEntries()].merge(entries)
                    }
                } else {
                    parts[day, default: []] += PackedPart.pack(
                        services, of: day, source: isOwn ? source.record.contents : 0)
                }
            }
        }
        for (day, services) in shared {
            let once = services.mapValues { entries in
                var entries = entries
                entries.removeCopies()
                return entries
            }
            parts[day, default: []] += PackedPart.pack(once, of: day, source: 0)
        }
    }

    static func source(_ log: LogInput, configure: (inout LogAnalysis) -> Void = { _ in }) -> ReadSource {
        var analysis = LogAnalysis(inputs: [], horizon: laterThanAll)
        configure(&analysis)
        return analysis.source(log, progress: ReadProgress())
    }

    private static func read<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    var bytes: Int { parts.values.joined().reduce(0) { $0 + $1.bytes.count } }

    /// What it gives to a run; records, names and parts come from their bytes, as in a store.
    var entries: StoredEntries {
        get throws {
            StoredEntries(
                sources: try sources.map(MadeStore.read), names: try names.mapValues(MadeStore.read),
                versions: versions, days: parts.keys.sorted()
            ) { [parts] day in try (parts[day] ?? []).map { try PackedPart($0.bytes, of: day) } }
        }
    }
}
