internal import Verifications

/// What stands next to verifications: app versions, rows, and lines.
extension SectionWriter {
    mutating func write(
        _ evidence: EvidenceStore.State, _ versions: ClientVersions, _ givenUpThrough: Day?
    ) {
        var state = evidence
        let given = [state.givenUpThrough, givenUpThrough].compactMap { $0 }.max()
        write(days: given.map { [$0] } ?? [])
        let rows = state.rows.takeElements()
        let lines = state.lines.takeElements()
        size.open += rows.count + lines.count
        let known = Set(rows.map(\.version)).sorted().compactMap { hash in versions[hash].map { (hash, $0) } }
        out.write(known.count)
        for (hash, version) in known {
            out.write(word: hash, bytes: 4)
            for text in [version.app, version.version, version.os] { write(text: text) }
        }
        let hashes = Dictionary(uniqueKeysWithValues: state.services.map { ($0.value, $0.key) })
        let rowsOfServices = Dictionary(grouping: rows, by: \.service)
        let linesOfServices = Dictionary(grouping: lines, by: \.service)
        let services = Set(rowsOfServices.keys).union(linesOfServices.keys)
        out.write(services.count)
        for service in services.sorted(by: { hashes[$0, default: 0] < hashes[$1, default: 0] }) {
            out.write(word: hashes[service, default: 0])
            let rows = rowsOfServices[service, default: []].sorted(by: PackedRow.precedes)
            out.write(rows.count)
            for row in rows {
                out.write(word: row.request.word)
                out.write(word: UInt64(row.day.number) << 30 | row.version, bytes: 6)
                let answer = UInt64(row.client.rawValue) << 2 | UInt64(row.answer.rawValue)
                out.write(word: row.fingerprint << 6 | answer, bytes: 4)
            }
            let lines = linesOfServices[service, default: []].sorted(by: PackedLine.precedes)
            out.write(lines.count)
            for line in lines {
                out.write(word: line.key)
                out.write(word: line.words.second)
                out.write(word: line.words.third, bytes: 6)
            }
        }
    }
}
