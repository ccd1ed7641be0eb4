internal import LogStream
internal import Readiness
internal import Verifications

/// Joins rows and lines with verifications, once everything was read: neither order nor files nor jobs matter.
struct EvidenceJoin {
    let seen: SeenVerifications
    private let versions: ClientVersions
    let range: TimeRange
    private let countsCopies: Bool
    /// Knows what was counted on earlier nights; nil for a run that stands for itself.
    let ledger: (any EvidenceLedger)?
    /// By the number of a service: its hash.
    let services: [UInt64]
    /// By function: its hash; 0 where nothing but verifications was read of it.
    let functionHashes: [UInt64]
    /// By function, as ``SeenVerifications`` numbers them.
    let names: [FunctionIdentity]
    /// By function: how the verifications that count say that they come from the SDK; nil where none counts.
    private let believed: [Provenance?]
    /// By the number of a service: the function.
    var functions: [Int?]
    var callers: [FunctionCallers]
    /// By project: the apps that rows name, each of which may have extensions.
    private var apps: [ExactName: Set<String>] = [:]
    /// Verifications of iOS apps whose App Check token was refused, by ``SeenRecord/hash``.
    var refusedOfIOS: Set<Int> = []
    /// By function and version: what was found of a client.
    private var clients: [ClientKey: AdmittedCallers.Client] = [:]

    private struct ClientKey: Hashable {
        let function: Int
        let kind: ClientKind
        let version: UInt64
    }

    /// - Parameters:
    ///   - seen: What was verified.
    ///   - services: The numbers of services, by their hashes.
    ///   - hashes: The hashes of functions.
    ///   - believed: Functions whose verifications count.
    ///   - versions: The versions that rows name.
    ///   - range: What counts.
    ///   - countsCopies: True when copies of verifications count.
    ///   - ledger: Knows what was counted before. What is new then counts, of functions without a verification as well.
    init(
        _ seen: SeenVerifications, services: [UInt64: UInt32], hashes: [UInt64: FunctionIdentity],
        believed: [FunctionIdentity: Provenance], versions: ClientVersions, range: TimeRange, countsCopies: Bool,
        ledger: (any EvidenceLedger)? = nil
    ) {
        self.seen = seen
        self.versions = versions
        self.range = range
        self.countsCopies = countsCopies
        self.ledger = ledger
        names = seen.names
        self.believed = names.map { believed[$0] }
        callers = Array(repeating: FunctionCallers(), count: names.count)
        functions = Array(repeating: nil, count: services.count)
        var hashesOfServices = Array(repeating: UInt64(0), count: services.count)
        var hashesOfFunctions = Array(repeating: UInt64(0), count: names.count)
        for (hash, number) in services {
            hashesOfServices[Int(number)] = hash
            if let name = hashes[hash], believed[name] != nil {
                let function = Int(seen.number(of: name))
                functions[Int(number)] = function
                hashesOfFunctions[function] = hash
            } else if ledger != nil {
                functions[Int(number)] = callers.count
                callers.append(FunctionCallers())
            }
        }
        (self.services, functionHashes) = (hashesOfServices, hashesOfFunctions)
    }

    /// The function that a verification counts for; nil for one that does not count.
    func function(of record: SeenRecord) -> Int? {
        let function = Int(record.function)
        return !record.isGone && believed[function] == record.provenance ? function : nil
    }

    func number(of record: SeenRecord) -> Int { countsCopies ? 1 + record.copies : 1 }

    private mutating func join(rows: consuming [PackedRow], lines: [PackedLine]) {
        join(EvidenceJoin.distinct(rows))
        join(EvidenceJoin.distinct(lines))
    }

    /// The join of a run that adds to a history: what is new.
    mutating func newEvidence(rows: consuming [PackedRow], lines: [PackedLine]) -> StoredEvidence {
        join(rows: rows, lines: lines)
        var evidence = StoredEvidence()
        for (service, function) in functions.enumerated() {
            guard let function, !callers[function].days.isEmpty else { continue }
            callers[function].trim()
            let provenance = function < names.count ? believed[function] : nil
            evidence.add(
                callers[function],
                for: StoredEvidence.Key(service: services[service], provenance: provenance ?? .labelled))
        }
        return evidence
    }

    /// The join.
    mutating func evidence(rows: consuming [PackedRow], lines: [PackedLine]) -> CallEvidence {
        join(rows: rows, lines: lines)
        var evidence = CallEvidence()
        for (name, var found) in zip(names, callers) where !found.days.isEmpty {
            found.trim()
            evidence.add(found, for: name)
        }
        return evidence
    }

    // MARK: Rows

    /// The rows without copies, in order; in place, as there may be very many.
    private static func distinct(_ rows: consuming [PackedRow]) -> [PackedRow] {
        sort(&rows)
        var count = 0
        for index in rows.indices where count == 0 || !rows[count - 1].isCopy(of: rows[index]) {
            rows[count] = rows[index]
            count += 1
        }
        rows.removeLast(rows.count - count)
        return rows
    }

    /// Sorts in place: first into ranges by the highest bits of the request, which is a hash, then each by itself.
    private static func sort(_ rows: inout [PackedRow]) {
        let bits = min(16, max(0, UInt64.bitWidth - rows.count.leadingZeroBitCount - 4))
        func range(of row: PackedRow) -> Int { Int((row.request.word >> 1) >> UInt64(63 - bits)) }
        var ends = Array(repeating: 0, count: 1 << bits)
        for row in rows { ends[range(of: row)] += 1 }
        for range in ends.indices.dropFirst() { ends[range] += ends[range - 1] }
        var places = [0] + ends.dropLast()
        for current in ends.indices {
            while places[current] < ends[current] {
                let target = range(of: rows[places[current]])
                // What stands in its range stays there; each swap puts one row into its own.
                if target != current { rows.swapAt(places[current], places[target]) }
                places[target] += 1
            }
        }
        var start = 0
        for end in ends {
            if end - start > 1 { rows[start..<end].sort(by: PackedRow.precedes) }
            start = end
        }
    }

    private mutating func join(_ rows: [PackedRow]) {
        guard !rows.isEmpty else { return }
        noteApps(of: rows)
        var isTaken = Array(repeating: false, count: rows.count)
        // Those of which no row has the span, by the only row of their trace.
        var left: [Int: [SeenRecord]] = [:]
        seen.forEachRequest { record, request in
            guard request != .none, function(of: record) != nil else { return }
            if request.hasSpan, let row = EvidenceJoin.row(of: request, in: rows) {
                if take(rows[row], record, request) { isTaken[row] = true }
            } else if let row = EvidenceJoin.onlyRow(ofTrace: request.trace, in: rows) {
                left[row, default: []].append(record)
            }
        }
        for (row, records) in left where records.count == 1 && !isTaken[row] {
            if take(rows[row], records[0], rows[row].request) { isTaken[row] = true }
        }
        for (row, isTaken) in zip(rows, isTaken) where row.counts {
            guard let function = functions[Int(row.service)] else { continue }
            let isNew = note(row, isTaken: isTaken)
            guard isNew || isTaken else { continue }
            let success = row.answer == .success ? 1 : 0
            callers[function].update(row.day) { day in
                if isNew {
                    day.rows += 1
                    day.successes += success
                }
                // Of a row that was counted without one, the verification has come now.
                if isNew != isTaken { day.unlogged += isTaken ? -success : success }
            }
        }
    }

    /// Counts a verification with its row.
    ///
    /// - Returns: False when an earlier run has joined either.
    private mutating func take(_ row: PackedRow, _ record: SeenRecord, _ request: RequestKey) -> Bool {
        if let ledger {
            guard let day = record.instant?.day, ledger.isOpen(day), ledger.isOpen(row.day),
                !ledger.knows(hash(of: row, .taken), on: row.day)
            else { return false }
            let joined = hash(of: record, request)
            guard !ledger.knows(joined, on: day) else { return false }
            ledger.add(joined, on: day)
        }
        count(record, row)
        return true
    }

    /// The place of the first row that is not before a request.
    private static func place(of request: RequestKey, in rows: [PackedRow]) -> Int {
        rows.firstPlace { $0.request < request }
    }

    private static func row(of request: RequestKey, in rows: [PackedRow]) -> Int? {
        let first = place(of: request, in: rows)
        guard first < rows.count, rows[first].request == request else { return nil }
        var best = first
        var next = first + 1
        while next < rows.count, rows[next].request == request {
            if PackedRow.isBefore(rows[next], rows[best]) { best = next }
            next += 1
        }
        return best
    }

    private static func onlyRow(ofTrace trace: UInt64, in rows: [PackedRow]) -> Int? {
        let first = place(of: RequestKey(word: trace << RequestKey.spanBits), in: rows)
        guard first < rows.count, rows[first].request.trace == trace else { return nil }
        return first + 1 < rows.count && rows[first + 1].request.trace == trace ? nil : first
    }

    private mutating func count(_ record: SeenRecord, _ row: PackedRow) {
        guard let function = function(of: record), let instant = record.instant, range.contains(instant) else { return }
        let client = client(of: row, function)
        let number = number(of: record)
        if record.app == .invalid, client.kind.isIOSApp { refusedOfIOS.insert(record.hash) }
        callers[function].update(instant.day) { day in
            day.withRow += number
            day.enforcement.add(
                number, app: record.app, auth: record.auth, answer: row.answer, at: instant.nanosecondOfDay)
            day.update(auth: record.auth) {
                $0.add(number, app: record.app, client: client, answer: row.answer, address: row.address)
            }
        }
    }

    // MARK: Clients

    private mutating func noteApps(of rows: [PackedRow]) {
        var noted: Set<UInt64> = []
        for row in rows where row.version != 0 && noted.insert(row.serviceAndVersion).inserted {
            guard let function = functions[Int(row.service)], function < names.count,
                let version = versions[row.version]
            else { continue }
            apps[ExactName(names[function].project), default: []].insert(version.app)
        }
    }

    private mutating func client(of row: PackedRow, _ function: Int) -> AdmittedCallers.Client {
        guard row.version != 0 else { return AdmittedCallers.Client(kind: row.client) }
        let key = ClientKey(function: function, kind: row.client, version: row.version)
        if let known = clients[key] { return known }
        guard let version = versions[row.version] else { return AdmittedCallers.Client(kind: .other) }
        let isExtension =
            row.client == .ios && version.isExtension(of: apps[ExactName(names[function].project)] ?? [])
        let client = AdmittedCallers.Client(
            kind: isExtension ? .iosExtension : row.client, version: version, rank: row.version)
        clients[key] = client
        return client
    }
}
