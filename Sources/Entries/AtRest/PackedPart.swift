internal import LogStream
internal import Readiness
internal import Verifications

/// A row of a store: one day's entries of some functions, each once.
///
/// ```
/// source, times, functions: hash, lines, revisions with their verifications and rows
/// kinds of clients, by their numbers
/// deflated: codes and severities of verifications; answers, clients, and distances of rows to their verifications
/// identities: 7 bytes each · requests: 10 each · fingerprints of rows: 2 each · their addresses: 2 each
/// requests of other rows: 10 each
/// lines: 20 bytes each
/// times, in their order, as distances from one to the next, of rows from their verifications: Rice codes
/// ```
package struct PackedPart: Hashable, Sendable {
    package let day: DayIndex
    /// The contents of the source that they are of; 0 for those that intact sources share.
    package let source: UInt64
    package let functions: ClosedRange<UInt64>
    /// The first and the last time of the day: parts that share no function, or no time, share no copy.
    package let times: ClosedRange<UInt64>
    package let verifications: Int
    package let check: UInt64
    package let size: Int
    package private(set) var bytes: [UInt8]

    package var summary: PackedPart {
        var copy = self
        copy.bytes = []
        return copy
    }

    /// False where no entry of one can be in the other.
    package func overlaps(_ other: PackedPart) -> Bool {
        functions.overlaps(other.functions) && times.overlaps(other.times)
    }

    /// Reads what a row begins with.
    ///
    /// - Throws: That it is no such row; whether it is one that was written, its ``check`` shows.
    package init(_ bytes: [UInt8], of day: DayIndex) throws(MalformedBytes) {
        var reader = BitReader(bytes[...])
        self.init(try PartHead(&reader), bytes, of: day)
    }

    private init(_ head: PartHead, _ bytes: [UInt8], of day: DayIndex) {
        (self.day, self.bytes, size, source, times) = (day, bytes, bytes.count, head.source, head.times)
        (functions, verifications) = (head.functions, head.verifications)
        check = mixed(bytes[...].checkSum ^ UInt64(day.number))
    }
}

extension PackedPart {
    /// In bytes: about as much is packed into one row.
    private static let usualSize = 160 << 10

    package static func pack(
        _ entries: consuming [UInt64: DayEntries], of day: DayIndex, source: UInt64
    ) -> [PackedPart] {
        var (parts, open, size) = ([PackedPart](), [(UInt64, DayEntries)](), 0)
        func close() {
            if !open.isEmpty { parts.append(PackedPart(open, of: day, source: source)) }
            (open, size) = ([], 0)
        }
        for hash in entries.keys.sorted() {
            guard let function = entries.removeValue(forKey: hash), !function.isEmpty else { continue }
            let slices = function.sliced((function.packedSize + usualSize - 1) / usualSize)
            for slice in slices {
                if size > 0, size + slice.packedSize > usualSize { close() }
                open.append((hash, slice))
                size += slice.packedSize
                if slices.count > 1 { close() }
            }
        }
        close()
        return parts
    }

    private init(_ functions: [(hash: UInt64, entries: DayEntries)], of day: DayIndex, source: UInt64) {
        var (head, columns) = (PartHead(source: source), PartColumns())
        for (hash, entries) in functions { head.append(hash, columns.write(entries)) }
        head.clients = columns.clients
        head.refCount = columns.refCount
        (head.deflated, head.times) = columns.deflate()
        var writer = BitWriter()
        head.write(to: &writer)
        self.init(head, writer.written + columns.bytes, of: day)
    }

    /// The number of verifications in parts of a day, each once.
    package static func distinct(
        in parts: [PackedPart], where isWanted: ((UInt64) -> Bool)? = nil
    ) throws(MalformedBytes) -> Int {
        var (entries, count) = ([UInt64: DayEntries](), 0)
        for (place, part) in parts.enumerated() {
            if isWanted == nil, !parts.indices.contains(where: { $0 != place && parts[$0].overlaps(part) }) {
                count += part.verifications
            } else {
                try part.read(into: &entries, where: isWanted ?? { _ in true })
            }
        }
        for var entries in entries.values {
            entries.removeCopies()
            count += entries.verifications
        }
        return count
    }

    package func versions() throws(MalformedBytes) -> Set<UInt64> {
        var reader = BitReader(bytes[...])
        let head = try PartHead(&reader)
        var found = Set(head.services.lazy.flatMap(\.parts).compactMap(\.revision.nameHash))
        found.formUnion(head.clients.lazy.map(\.nameHash))
        return found
    }

    /// Adds what it holds of the functions that are wanted.
    ///
    /// - Throws: That the bytes are something else; there may be some of it then.
    package func read(
        into entries: inout [UInt64: DayEntries], where isWanted: (UInt64) -> Bool
    ) throws(MalformedBytes) {
        var reader = BitReader(bytes[...])
        let head = try PartHead(&reader)
        var columns = try PartReader(head, reader.rest)
        for function in head.services {
            let found = try columns.read(function)
            if isWanted(function.hash) { entries[function.hash, default: DayEntries()].merge(found) }
        }
        try columns.end()
    }
}

extension DayEntries {
    /// About as many bytes as it takes when it is packed.
    fileprivate var packedSize: Int { 22 * verifications + 12 * rowCount + 20 * lines.count + 24 }

    var hasUndated: Bool {
        parts.contains { part in
            var isFound = false
            part.forEach { isFound = isFound || !$0.entry.time.isDated }
            return isFound
        }
    }

    fileprivate func sliced(_ count: Int) -> [DayEntries] {
        guard count > 1 else { return [self] }
        var times: [UInt64] = []
        for part in parts {
            part.forEach { times.append($0.entry.time.word) }
            part.rows.forEach { times.append($0.time.word) }
        }
        lines.forEach { times.append($0.time.word) }
        times.sort()
        let bounds = (1..<count).map { times[$0 * times.count / count] }
        func slice(_ time: TimeOfDay) -> Int { bounds.partitioningIndex { $0 <= time.word } }
        var slices = Array(repeating: DayEntries(), count: count)
        for part in parts {
            var pieces = Array(repeating: Part(part.revision, part.shape), count: count)
            part.forEach { pieces[slice($0.entry.time)].append($0) }
            part.rows.forEach { pieces[slice($0.time)].rows.append($0) }
            for (place, piece) in pieces.enumerated() where piece.verifications + piece.rows.count > 0 {
                slices[place].add(piece)
            }
        }
        lines.forEach { slices[slice($0.time)].lines.append($0) }
        return slices.filter { !$0.isEmpty }
    }
}

private struct PartHead {
    struct Service {
        var hash: UInt64
        var lines: Int
        var parts: [(revision: Revision, shape: Shape, verifications: Int, rows: Int)]
    }

    var source: UInt64
    var times: ClosedRange<UInt64> = 0...0
    private(set) var services: [Service] = []
    var clients: [ClientCode] = []
    var refCount = 0
    var deflated = 0

    init(source: UInt64) { self.source = source }

    mutating func append(_ hash: UInt64, _ counts: Service) {
        var counts = counts
        counts.hash = hash
        services.append(counts)
    }

    var functions: ClosedRange<UInt64> { (services.first?.hash ?? 0)...(services.last?.hash ?? 0) }
    var verifications: Int { services.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.verifications } } }
    var rows: Int { services.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.rows } } }

    /// Entries of one row, and how far two of them are apart.
    static let most = 1 << 24

    func write(to writer: inout BitWriter) {
        writer.bits(source, 64)
        writer.bits(times.lowerBound, TimeOfDay.bits + 1)
        writer.bits(times.upperBound, TimeOfDay.bits + 1)
        writer.number(services.count)
        for service in services {
            writer.bits(service.hash, 64)
            writer.number(service.lines)
            writer.number(service.parts.count)
            for part in service.parts {
                writer.number(Int(part.revision.word))
                for number in [Int(part.shape.code), part.verifications, part.rows] { writer.number(number) }
            }
        }
        writer.number(clients.count)
        for client in clients { writer.bits(client.word, ClientCode.bits) }
        for number in [refCount, deflated] { writer.number(number) }
        writer.endBits()
    }

    init(_ reader: inout BitReader) throws(MalformedBytes) {
        source = try reader.bits(64)
        let (first, last) = (try reader.bits(TimeOfDay.bits + 1), try reader.bits(TimeOfDay.bits + 1))
        guard first <= last else { throw MalformedBytes() }
        times = first...last
        // Nothing is set aside before it is known to be there.
        for _ in 0..<(try reader.number(upTo: .max)) {
            var service = Service(hash: try reader.bits(64), lines: try reader.number(upTo: PartHead.most), parts: [])
            guard services.last.map({ $0.hash < service.hash }) ?? true else { throw MalformedBytes() }
            for _ in 0..<(try reader.number(upTo: .max)) {
                let revision = Revision(word: UInt64(try reader.number(upTo: .max)))
                guard revision == .none || revision.isPossible else { throw MalformedBytes() }
                service.parts.append(
                    (
                        revision, Shape(code: UInt8(try reader.number(upTo: Shape.codes.upperBound))),
                        try reader.number(upTo: PartHead.most), try reader.number(upTo: PartHead.most)
                    ))
            }
            services.append(service)
        }
        guard !services.isEmpty else { throw MalformedBytes() }
        for _ in 0..<(try reader.number(upTo: .max)) {
            let client = ClientCode(word: try reader.bits(ClientCode.bits))
            guard client.isPossible else { throw MalformedBytes() }
            clients.append(client)
        }
        (refCount, deflated) = (try reader.number(upTo: PartHead.most), try reader.number(upTo: PartHead.most))
        try reader.endBits()
    }
}

private struct PartColumns {
    private(set) var clients: [ClientCode] = []
    private var places: [ClientCode: Int] = [:]
    private var (codes, severities, answers): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    private var (low, high): ([UInt8], [UInt8]) = ([], [])
    private var refs = BitWriter()
    private var (identities, requests): ([UInt8], [UInt8]) = ([], [])
    private var (fingerprints, addresses): ([UInt8], [UInt8]) = ([], [])
    private var (otherRequests, lines): ([UInt8], [UInt8]) = ([], [])
    private var times = BitWriter()
    private var first = UInt64.max
    private var last: UInt64 = 0
    private var packed: [UInt8] = []

    var bytes: [UInt8] {
        var times = times
        times.endBits()
        return packed + identities + requests + fingerprints + addresses + otherRequests + lines + times.written
    }

    var refCount: Int { refs.written.count }

    mutating func deflate() -> (count: Int, times: ClosedRange<UInt64>) {
        packed = Deflate.packed(codes + severities + answers + low + high + refs.written)
        return (packed.count, min(first, last)...last)
    }

    mutating func write(_ entries: DayEntries) -> PartHead.Service {
        var service = PartHead.Service(hash: 0, lines: entries.lines.count, parts: [])
        var (numbers, requestTimes) = ([PackedRequestID: Int](), [UInt64]())
        let parts = entries.parts.sorted { ($0.revision, $0.shape) < ($1.revision, $1.shape) }
        for part in parts {
            var verifications: [TracedEntry] = []
            part.forEach { verifications.append($0) }
            verifications.sort {
                ($0.entry.second >> 17, $0.entry.first, $0.request) < (
                    $1.entry.second >> 17, $1.entry.first, $1.request
                )
            }
            write(times: verifications.map(\.entry.time))
            for entry in verifications {
                codes.append(UInt8(entry.entry.code << 1) | (entry.third == 0 ? 0 : 1))
                severities.append(UInt8(entry.entry.severityCode))
                identities.append(entry.entry.identity, bytes: 7)
                guard entry.third != 0 else { continue }
                requests.append(entry.request.trace, bytes: 6)
                requests.append(UInt64(entry.request.span), bytes: 4)
                if numbers[entry.request] == nil { numbers[entry.request] = requestTimes.count }
                requestTimes.append(entry.entry.time.word)
            }
            service.parts.append((part.revision, part.shape, verifications.count, part.rows.count))
        }
        for part in parts {
            var (rows, expected) = ([EntryRow](), 0)
            part.rows.forEach { rows.append($0) }
            rows.sort {
                ($0.time.word, $0.first, $0.third, $0.address) < ($1.time.word, $1.first, $1.third, $1.address)
            }
            var distances: [(time: UInt64, verification: UInt64?)] = []
            for row in rows {
                let place = places[row.client] ?? clients.count
                if place == clients.count {
                    places[row.client] = place
                    clients.append(row.client)
                }
                low.append(UInt8(place & 255))
                high.append(UInt8(truncatingIfNeeded: place >> 8))
                fingerprints.append(UInt64(row.fingerprint), bytes: 2)
                addresses.append(UInt64(row.address), bytes: 2)
                let request = PackedRequestID(bits: row.trace, span: row.span)
                let number = row.isUntraced ? nil : numbers[request]
                answers.append(row.answer.rawValue << 2 | (row.isUntraced ? 2 : 0) | (number == nil ? 0 : 1))
                distances.append((row.time.word, number.map { requestTimes[$0] }))
                if let number {
                    refs.signed(number - expected)
                    expected = number + 1
                } else {
                    otherRequests.append(row.trace, bytes: 6)
                    otherRequests.append(UInt64(row.span), bytes: 4)
                }
            }
            write(distances)
        }
        var sorted: [EntryLine] = []
        entries.lines.forEach { sorted.append($0) }
        sorted.sort(by: EntryLine.precedes)
        for line in sorted {
            lines.append(line.first, bytes: 8)
            lines.append(line.second, bytes: 8)
            lines.append(line.third, bytes: 4)
            (first, last) = (min(first, line.time.word), max(last, line.time.word))
        }
        return service
    }

    private mutating func write(times sorted: [TimeOfDay]) {
        let parameter = RiceCode.parameter(sum: sorted.last?.word ?? 0, count: sorted.count)
        times.bits(UInt64(parameter), 6)
        var before: UInt64 = 0
        for time in sorted {
            times.write(rice: time.word - before, parameter)
            before = time.word
        }
        guard let start = sorted.first, let end = sorted.last else { return }
        (first, last) = (min(first, start.word), max(last, end.word))
    }

    /// Writes the times of rows: from that of the verification, or of the row before without one.
    private mutating func write(_ rows: [(time: UInt64, verification: UInt64?)]) {
        var (before, sum, found) = (UInt64(0), UInt64(0), [(isOfVerification: Bool, distance: UInt64)]())
        for (time, verification) in rows {
            (first, last) = (min(first, time), max(last, time))
            guard let verification else {
                found.append((false, time - before))
                before = time
                continue
            }
            let distance = Int64(time) - Int64(verification)
            found.append((true, UInt64(bitPattern: distance << 1 ^ distance >> 63)))
            sum &+= found[found.count - 1].distance
        }
        let count = found.count(where: \.isOfVerification)
        let near = RiceCode.parameter(sum: sum, count: count)
        let far = RiceCode.parameter(sum: before, count: found.count - count)
        times.bits(UInt64(near), 6)
        times.bits(UInt64(far), 6)
        for (isOfVerification, distance) in found { times.write(rice: distance, isOfVerification ? near : far) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ word: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
    }
}

private struct PartReader {
    private let clients: [ClientCode]
    private let unpacked: [UInt8]
    private let bytes: ArraySlice<UInt8>
    private var (code, severity, answer, low, high): (Int, Int, Int, Int, Int)
    private var refs: BitReader
    private var (identity, request, fingerprint): (Int, Int, Int)
    private var (address, otherRequest, line): (Int, Int, Int)
    private var times: BitReader

    init(_ head: PartHead, _ bytes: ArraySlice<UInt8>) throws(MalformedBytes) {
        let (verifications, rows) = (head.verifications, head.rows)
        let lines = head.services.reduce(0) { $0 + $1.lines }
        let deflatedEnd = bytes.startIndex + head.deflated
        // What has a fixed length shows that there may be as much before anything is unpacked.
        guard deflatedEnd <= bytes.endIndex,
            7 * verifications + 4 * rows + 20 * lines <= bytes.endIndex - deflatedEnd, head.refCount <= 10 * rows,
            let unpacked = Deflate.unpacked(
                bytes[..<deflatedEnd], count: 2 * verifications + 3 * rows + head.refCount)
        else { throw MalformedBytes() }
        (self.unpacked, self.bytes, clients) = (unpacked, bytes, head.clients)
        (code, severity, answer) = (0, verifications, 2 * verifications)
        (low, high) = (answer + rows, answer + 2 * rows)
        refs = BitReader(unpacked[(high + rows)...])
        let traced = unpacked[..<verifications].reduce(0) { $0 + Int($1 & 1) }
        let others = rows - unpacked[answer..<low].reduce(0) { $0 + Int($1 & 1) }
        identity = deflatedEnd
        request = identity + 7 * verifications
        fingerprint = request + 10 * traced
        address = fingerprint + 2 * rows
        otherRequest = address + 2 * rows
        line = otherRequest + 10 * others
        guard line + 20 * lines <= bytes.endIndex else { throw MalformedBytes() }
        times = BitReader(bytes[(line + 20 * lines)...])
    }

    mutating func end() throws(MalformedBytes) {
        try refs.end()
        try times.end()
    }

    private typealias FoundRequest = (trace: UInt64, span: UInt32, time: UInt64)

    mutating func read(_ service: PartHead.Service) throws(MalformedBytes) -> DayEntries {
        var (entries, parts, requests) = (DayEntries(), [DayEntries.Part](), [FoundRequest]())
        for (revision, shape, verifications, _) in service.parts {
            var part = DayEntries.Part(revision, shape)
            let traced = unpacked[code..<code + verifications].reduce(0) { $0 + Int($1 & 1) }
            part.traced.reserve(traced)
            part.plain.reserve(verifications - traced)
            var time: UInt64 = 0
            let parameter = try times.bits(6)
            for _ in 0..<verifications {
                time += try times.rice(parameter)
                guard TimeOfDay(word: time).isPossible else { throw MalformedBytes() }
                let code = unpacked[code]
                let entry = PackedVerification(
                    identity: word(&identity, bytes: 7), time: TimeOfDay(word: time), code: UInt64(code >> 1),
                    severity: UInt64(unpacked[severity] & 3))
                self.code += 1
                severity += 1
                guard entry.isPossible else { throw MalformedBytes() }
                guard code & 1 == 1 else {
                    part.plain.append(entry)
                    continue
                }
                let (trace, span) = (word(&request, bytes: 6), UInt32(word(&request, bytes: 4)))
                guard trace > 0 else { throw MalformedBytes() }
                requests.append((trace, span, time))
                part.traced.append(TracedEntry(entry, PackedRequestID(bits: trace, span: span)))
            }
            parts.append(part)
        }
        for (place, (_, _, _, rows)) in service.parts.enumerated() {
            var (before, expected) = (UInt64(0), 0)
            parts[place].rows.reserve(rows)
            let (near, far) = (try times.bits(6), try times.bits(6))
            for _ in 0..<rows {
                let flags = unpacked[answer]
                let client = Int(unpacked[low]) | Int(unpacked[high]) << 8
                (answer, low, high) = (answer + 1, low + 1, high + 1)
                guard client < clients.count, let answer = RequestRow.ResponseClass(rawValue: flags >> 2) else {
                    throw MalformedBytes()
                }
                let (mark, address) = (UInt16(word(&fingerprint, bytes: 2)), UInt16(word(&address, bytes: 2)))
                var found: FoundRequest
                if flags & 1 == 1 {
                    let number = expected + (try refs.signed(upTo: PartHead.most))
                    guard requests.indices.contains(number) else { throw MalformedBytes() }
                    (found, expected) = (requests[number], number + 1)
                    let distance = try times.rice(near)
                    found.time = UInt64(bitPattern: Int64(found.time) + (Int64(distance >> 1) ^ -Int64(distance & 1)))
                } else {
                    before += try times.rice(far)
                    found = (word(&otherRequest, bytes: 6), 0, before)
                    found.span = UInt32(word(&otherRequest, bytes: 4))
                }
                // One before midnight is a large number.
                guard TimeOfDay(word: found.time).isDated else { throw MalformedBytes() }
                parts[place].rows.append(
                    EntryRow(
                        trace: found.trace, span: found.span, isUntraced: flags & 2 != 0,
                        time: TimeOfDay(word: found.time), client: clients[client], answer: answer, fingerprint: mark,
                        address: address))
            }
        }
        for part in parts { entries.add(part) }
        for _ in 0..<service.lines {
            let found = EntryLine(
                first: word(&line, bytes: 8), second: word(&line, bytes: 8), third: word(&line, bytes: 4))
            guard found.isPossible else { throw MalformedBytes() }
            entries.lines.append(found)
        }
        return entries
    }

    /// Safe: the columns have the lengths that were counted.
    @inline(__always)
    private func word(_ place: inout Int, bytes count: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<count { word |= UInt64(bytes[place + index]) << UInt64(8 * index) }
        place += count
        return word
    }
}

private enum RiceCode {
    /// As many ones precede a number that would take more.
    static let escape = 24

    static func parameter(sum: UInt64, count: Int) -> Int {
        let mean = sum / UInt64(max(1, count))
        return mean == 0 ? 0 : min(47, 63 - mean.leadingZeroBitCount)
    }
}

extension BitReader {
    /// A Rice code; see ``BitWriter/write(rice:_:)``.
    @inline(__always)
    fileprivate mutating func rice(_ parameter: UInt64) throws(MalformedBytes) -> UInt64 {
        guard parameter < 48 else { throw MalformedBytes() }
        let ones = ones(upTo: RiceCode.escape)
        guard ones < RiceCode.escape else {
            _ = try bits(RiceCode.escape)
            return try bits(TimeOfDay.bits + 1)
        }
        _ = try bits(ones + 1)
        return UInt64(ones) << parameter | (try bits(Int(parameter)))
    }
}

extension BitWriter {
    /// A Rice code (Rice and Plaunt, 1971): a one for each multiple of 2^`parameter` in the number, a zero, the rest.
    fileprivate mutating func write(rice number: UInt64, _ parameter: Int) {
        let multiple = number >> UInt64(parameter)
        guard multiple < RiceCode.escape else {
            bits(1 << UInt64(RiceCode.escape) - 1, RiceCode.escape)
            bits(number, TimeOfDay.bits + 1)
            return
        }
        bits(1 << multiple - 1, Int(multiple) + 1)
        if parameter > 0 { bits(number, parameter) }
    }
}
