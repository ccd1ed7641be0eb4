internal import Readiness
internal import Verifications

extension SourceRecord {
    /// Returns a hash of everything in a source, in any order, except its name and its compression.
    func contentsHash(_ days: [DayIndex: [UInt64: DayEntries]]) -> UInt64 {
        let counts = [
            input.sources, input.bytesDecompressed, input.records, input.ignored, input.malformed, input.oversized,
            input.unexpected, input.unread.total ?? -1, Int(input.unread.cutAt?.seconds ?? -1),
            Int(input.faults.rawValue), isStrict ? 1 : 0, hasEvidence ? 1 : 0, maxRecordBytes,
        ]
        // What could not be opened says nothing else by which it could be told from others.
        var texts = input.sources == 0 ? [file.name] : []
        for problem in input.problems.entries { texts += [problem.kind.rawValue, problem.detail] }
        var sum = counts.reduce(UInt64(checksum)) { mixed($0 ^ UInt64(bitPattern: Int64($1))) }
        sum = texts.reduce(sum) { mixed($0 ^ Array($1.utf8)[...].checkSum) }
        for (day, services) in days {
            for (hash, entries) in services {
                sum &+= mixed(entries.contentsSum ^ mixed(hash) ^ mixed(UInt64(day.number)))
            }
        }
        return max(1, mixed(sum))
    }
}

extension DayEntries {
    /// A sum over all that it has, in any order.
    fileprivate var contentsSum: UInt64 {
        var sum: UInt64 = 0
        for part in parts {
            let revision = mixed(part.revision.word)
            part.forEach { sum &+= mixed(mixed($0.entry.first ^ revision) ^ mixed($0.entry.second) &+ $0.third) }
            part.rows.forEach { row in
                let rest = mixed(mixed(row.third) ^ UInt64(row.address))
                sum &+= mixed(mixed(row.first ^ revision) &+ mixed(row.second ^ rest))
            }
        }
        lines.forEach { sum &+= mixed(mixed($0.first) ^ mixed($0.second) &+ $0.third) }
        return sum
    }
}

extension SourceRecord {
    /// False where somebody made it up: what is outside these limits could not be added up, or not be shown as it is.
    package var isPossible: Bool {
        let (services, problems) = (ledger.services.values, input.problems.entries)
        let records = services.flatMap { service in
            [service.uncounted.otherMessage, service.uncounted.contradictoryText]
                + service.runs.values.joined().map(\.count)
        }
        let sizes =
            InputSummary.counts.map { input[keyPath: $0] } + [maxRecordBytes, input.problems.dropped]
            + ([file.size, input.unread.total] + problems.flatMap { [$0.byteOffset, $0.record] }).compactMap(\.self)
        let kinds = services.flatMap(\.uncounted.records.keys).map(\.kind)
        let days = projects.values.flatMap(\.errorStreamDays) + kinds.compactMap(\.day)
        let times = projects.values.flatMap(\.errorStream.values).flatMap { [$0.lowerBound, $0.upperBound] }
        return records.allSatisfy((0...1 << 40).contains) && sizes.allSatisfy((0...1 << 50).contains)
            && days.allSatisfy { $0.isExpressible } && times.allSatisfy((0..<Instant.nanosecondsPerDay).contains)
            && problems.allSatisfy { $0.detail.unicodeScalars.allSatisfy(\.isShown) }
    }
}

extension Unicode.Scalar {
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
