internal import Readiness
internal import Verifications

/// The SDK's lines about refused tokens, each with the verification of the current day that it explains.
extension FunctionResolver {
    /// Returns why tokens were refused, by the places of the entries.
    mutating func causes() -> [Int: RefusalCause] {
        guard let day = current, neighbours.contains(where: { !$0.lines.isEmpty }) else { return [:] }
        var causes: [Int: RefusalCause] = [:]
        var (ofRequests, ofFunction) = ([Int](), [Int]())
        for (place, entry) in day.entries.enumerated()
        where entry.entry.app == .invalid && entry.entry.time.isDated && !day.repeated.contains(place) {
            if entry.entry.namesExecution {
                // The function's own code runs later: the first cause is the SDK's.
                let near = lines(of: entry.traced).filter { isBefore($0, entry.entry) }
                causes[place] = near.first { self[$0].cause != nil }.flatMap { self[$0].cause }
            } else if entry.traced.third != 0, !lines(of: entry.traced).isEmpty {
                ofRequests.append(place)
            } else {
                ofFunction.append(place)
            }
        }
        for place in inOrderOfTime(ofRequests) {
            let entry = day.entries[place]
            causes[place] = takeCause(of: place, lines(of: entry.traced))
        }
        guard !ofFunction.isEmpty else { return causes }
        let lines = day.lines(.function, (0, 0)).map { NearLine(day: 0, place: $0) }
        var waiting = lines.filter { self[$0].cause != nil }[...]
        for place in inOrderOfTime(ofFunction) {
            let time = day.entries[place].entry.time.word
            while let next = waiting.first, self[next].time.word + FunctionResolver.longest < time {
                waiting.removeFirst()
            }
            guard let next = waiting.first, self[next].time.word <= time, let cause = self[next].cause else { continue }
            waiting.removeFirst()
            causes[place] = cause
        }
        return causes
    }

    /// A line that has nothing but the function in common explains nothing later than an hour, in nanoseconds.
    private static let longest: UInt64 = 3_600_000_000_000

    struct NearLine {
        let day: Int
        let place: Int
    }

    subscript(line: NearLine) -> EntryLine { lines(of: line.day)[line.place] }

    private func lines(of day: Int) -> [EntryLine] {
        (day < 0 ? previous?.lines : day == 0 ? current?.lines : next?.lines) ?? []
    }

    /// The lines of the execution that an entry names, or else of its request, the earliest first.
    func lines(of traced: TracedEntry) -> [NearLine] {
        let namesExecution = traced.entry.namesExecution
        guard namesExecution || traced.third != 0 else { return [] }
        let key = namesExecution ? (first: traced.entry.key, span: 0) : EntryLine.key(of: traced.request)
        let link: EntryLine.Link = namesExecution ? .execution : .request
        // Days are large, and are not copied for each entry.
        let before = (previous?.lines(link, key) ?? 0..<0).map { NearLine(day: -1, place: $0) }
        let same = (current?.lines(link, key) ?? 0..<0).map { NearLine(day: 0, place: $0) }
        return before + same + (next?.lines(link, key) ?? 0..<0).map { NearLine(day: 1, place: $0) }
    }

    func isBefore(_ line: NearLine, _ entry: PackedVerification) -> Bool {
        line.day < 0 || line.day == 0 && self[line].time <= entry.time
    }

    /// Each verification takes the first cause before it that no other has taken.
    private mutating func takeCause(of place: Int, _ lines: [NearLine]) -> RefusalCause? {
        guard let entry = current?.entries[place].entry else { return nil }
        for line in lines where isBefore(line, entry) && self[line].cause != nil && !isTaken(line) {
            if line.day < 0 {
                previous?.takenLines.insert(line.place)
            } else {
                current?.takenLines.insert(line.place)
            }
            return self[line].cause
        }
        return nil
    }

    private func isTaken(_ line: NearLine) -> Bool {
        (line.day < 0 ? previous : current)?.takenLines.contains(line.place) ?? false
    }

    private func inOrderOfTime(_ places: [Int]) -> [Int] {
        guard let entries = current?.entries else { return [] }
        func order(_ place: Int) -> (UInt64, TokenStatus, UInt64) {
            let entry = entries[place].entry
            return (entry.time.word, entry.auth, entry.identity)
        }
        return places.sorted { order($0) < order($1) }
    }
}
