internal import Readiness
internal import Verifications

/// The SDK's lines about refused tokens.
extension EvidenceJoin {
    static func distinct(_ lines: [PackedLine]) -> [PackedLine] {
        var distinct: [PackedLine] = []
        for line in lines.sorted(by: PackedLine.precedes) where !(distinct.last?.isCopy(of: line) ?? false) {
            distinct.append(line)
        }
        return distinct
    }

    mutating func join(_ lines: [PackedLine]) {
        var queues: [QueueKey: [PackedLine]] = [:]
        for group in lines.chunked(by: { $0.sharesLink(with: $1) }) {
            guard let first = group.first, let function = functions[Int(first.service)] else { continue }
            countAllowed(group, of: function)
            switch first.link {
            case .execution(let execution): join(group, ofExecution: execution, function)
            case .request(let request): queues[QueueKey(function: function, request: request)] = Array(group)
            case .function: queues[QueueKey(function: function, request: .none)] = Array(group)
            }
        }
        if !queues.isEmpty { join(queues) }
    }

    private mutating func countAllowed(_ group: ArraySlice<PackedLine>, of function: Int) {
        for line in group where line.meaning == .allowing && line.counts && note(line) {
            callers[function].update(line.day) {
                $0.enforcement.allowed.add(1, at: line.instant.nanosecondOfDay)
            }
        }
    }

    /// Within an execution the SDK refuses one token, says why, and logs the verification before the function's own
    /// code runs: the first cause is its.
    private mutating func join(
        _ group: ArraySlice<PackedLine>, ofExecution execution: UInt64, _ function: Int
    ) {
        guard group.contains(where: { $0.cause != nil }) else { return }
        let isAllowed = group.contains { $0.meaning == .allowing }
        var records: [SeenRecord] = []
        seen.forEach(ofExecution: execution, function: UInt32(function)) { records.append($0) }
        for record in records where record.app == .invalid {
            let before = group.prefix { line in record.instant.map { line.instant <= $0 } ?? false }
            guard let cause = before.lazy.compactMap(\.cause).first else { continue }
            guard count(cause, of: record), !isAllowed, record.auth != .invalid, record.provenance == .labelled,
                let instant = record.instant
            else { continue }
            let number = number(of: record)
            callers[function].update(instant.day) {
                $0.enforcement.refused.add(number, at: instant.nanosecondOfDay)
            }
        }
    }

    /// - Returns: False when it does not count.
    @discardableResult
    private mutating func count(_ cause: RefusalCause, of record: SeenRecord) -> Bool {
        guard let function = function(of: record), let instant = record.instant, range.contains(instant),
            noteCause(of: record)
        else { return false }
        let number = number(of: record)
        let isOfIOS = refusedOfIOS.contains(record.hash)
        callers[function].update(instant.day) { day in
            day.update(auth: record.auth) { $0.add(number, cause: cause, isOfIOS: isOfIOS) }
        }
        return true
    }

    /// What lines and verifications have in common where they name no execution.
    private struct QueueKey: Hashable {
        let function: Int
        let request: RequestKey
    }

    /// Lines that may belong to several verifications: in the order of time, each verification takes the first cause
    /// before it that no other has taken.
    private mutating func join(_ queues: [QueueKey: [PackedLine]]) {
        var refused: [QueueKey: [SeenRecord]] = [:]
        seen.forEachRequest { record, request in
            guard record.app == .invalid, !record.isOfExecution, record.instant != nil,
                let function = function(of: record)
            else { return }
            let key = QueueKey(function: function, request: request)
            if queues[key] != nil {
                refused[key, default: []].append(record)
            } else if request != .none {
                refused[QueueKey(function: function, request: .none), default: []].append(record)
            }
        }
        for (key, lines) in queues {
            let records = refused[key, default: []].sorted { $0.timeKey < $1.timeKey }
            var waiting = lines.filter { $0.cause != nil }.reversed()[...]
            for record in records {
                guard let instant = record.instant, let next = waiting.last, next.instant <= instant else { continue }
                waiting.removeLast()
                if let cause = next.cause { count(cause, of: record) }
            }
        }
    }
}

extension PackedLine {
    fileprivate var cause: RefusalCause? {
        if case .cause(let cause) = meaning { cause } else { nil }
    }
}

extension SeenRecord {
    fileprivate var timeKey: (Instant, UInt8, UInt8) {
        (instant ?? Instant(seconds: 0), auth.rawValue, rank)
    }
}

extension Array {
    /// Runs of elements of which neighbours belong together.
    fileprivate func chunked(by belongsTogether: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where !belongsTogether(self[index - 1], self[index]) {
            chunks.append(self[start..<index])
            start = index
        }
        if start < endIndex { chunks.append(self[start..<endIndex]) }
        return chunks
    }
}
