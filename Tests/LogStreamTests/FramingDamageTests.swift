import TestSupport
import Testing
import Verifications

@testable import LogStream

/// One damaged byte anywhere in a small log, in every layout: what it may cost, and what it must not.
///
/// A record that holds the damage may be lost, and one on either side of damaged bytes between records: a missing line
/// feed makes one line of two, and a missing bracket may cost the record next to it. Damage where a page opens may cost
/// its first element. All else is counted. In line layouts a line is lost as a whole.
@Suite struct FramingDamageTests {
    /// Verifications by their function's name; nil for an entry that is none.
    private static let names: [String?] = ["first", nil, "third", "fourth", "fifth"]

    private static let records = [
        EntryText.first("first", id: "0").text,
        EntryText.application(#"He said \"{\" and }, {"#).text,
        EntryText.second("third", id: "2", label: nil).with("trace", "\"t\"").text,
        EntryText.first("fourth", app: "MISSING", id: "3").adding("list", #"{"a":[{"message":"x"},[1]],"b":{}}"#).text,
        EntryText.second("fifth", id: "4", label: "fifth").text,
    ]

    /// What became of one byte.
    private enum Damage: CaseIterable {
        case flippedLow, dropped, flippedHigh, doubled, flippedSign, flippedMiddle

        func apply(to bytes: [UInt8], at place: Int) -> [UInt8] {
            var bytes = bytes
            switch self {
            case .dropped: bytes.remove(at: place)
            case .doubled: bytes.insert(bytes[place], at: place)
            case .flippedLow: bytes[place] ^= 1
            case .flippedMiddle: bytes[place] ^= 8
            case .flippedHigh: bytes[place] ^= 0x20
            case .flippedSign: bytes[place] ^= 0x80
            }
            return bytes
        }
    }

    /// Each byte is damaged in one of the ways; brackets, quotes and bytes between records in all of them.
    @Test(arguments: Layout.allCases)
    func oneByte(layout: Layout) {
        let log = layout.log(FramingDamageTests.records)
        let whole = Scan.recognised(log.bytes)
        #expect(whole.found.map(\.identity.name) == FramingDamageTests.names.compactMap { $0 })
        for place in Tier.some(of: log.bytes.indices, every: 7) {
            let isOutside = !log.places.contains { $0.contains(place) }
            let isStructure = #"{}[]"\,:"#.utf8.contains(log.bytes[place]) && place % 3 == 0
            let all = Damage.allCases
            for damage in isOutside || isStructure ? all : [all[place % all.count]] {
                expectLittleLoss(layout, log, at: place, damage)
            }
        }
    }

    private func expectLittleLoss(_ layout: Layout, _ log: LaidOutLog, at place: Int, _ damage: Damage) {
        let bytes = damage.apply(to: log.bytes, at: place)
        let scan = Scan.recognised(bytes)
        #expect(scan.found.count <= 4, "damage bound: \(layout), \(damage) at \(place)")
        let found = Set(scan.found.map(\.identity.name))
        let allowed = layout.records(of: log, thatDamageMayCostAt: place)
        for (index, name) in FramingDamageTests.names.enumerated() where !allowed.contains(index) {
            guard let name else { continue }
            #expect(found.contains(name), "\(name): \(layout), \(damage) at \(place)")
        }
    }

    /// A broken verification is reported where it starts, under its number, regardless of other damage.
    @Test(arguments: Layout.allCases.filter { !$0.isPulled && $0 != .severalPerLine })
    func brokenVerificationsAreReported(layout: Layout) {
        let log = layout.log(FramingDamageTests.records)
        for (index, name) in FramingDamageTests.names.enumerated() where name != nil {
            let record = log.places[index]
            for place in Tier.some(of: record.dropFirst().dropLast(), every: 5) where place % 2 == 0 {
                let damage = Damage.allCases[place / 2 % Damage.allCases.count]
                let bytes = damage.apply(to: log.bytes, at: place)
                let change = bytes.count - log.bytes.count
                let text = Array(bytes[record.lowerBound..<record.upperBound + change])
                let isBroken = withText(text) { !Scalar.isValue($0) && Marker.shows(in: $0) }
                let scan = Scan.recognised(bytes)
                // A bracket too many behind the record leaves it whole.
                guard isBroken, !scan.found.contains(where: { $0.identity.name == name }) else { continue }
                let problems = scan.summary.problems.entries
                let problem = problems.first { $0.kind == .malformedRecord }
                let start = layout.isLines ? log.lineStart(of: index) : record.lowerBound
                #expect(problem?.byteOffset == start, "\(layout), \(damage) at \(place)")
                #expect(problem?.record == index + 1, "\(layout), \(damage) at \(place)")
                #expect(problems.count { $0.kind == .malformedRecord } == 1, "\(layout), \(damage) at \(place)")
            }
        }
    }

    /// Cut off at any byte: what is whole in front of the cut is counted, and nothing else is.
    @Test(arguments: Layout.allCases, [false, true])
    func cut(layout: Layout, isDamaged: Bool) {
        let log = layout.log(FramingDamageTests.records)
        for place in Tier.some(of: log.bytes.indices, every: 7) where place % 3 == 0 {
            let scan = Scan.recognised(Array(log.bytes[..<place]), isDamaged: isDamaged)
            let whole = log.places.indices.filter { log.places[$0].upperBound <= place }
            var names = whole.compactMap { FramingDamageTests.names[$0] }
            let found = scan.found.map(\.identity.name)
            // A line of several records, or a page on a line, is read when it is whole.
            if layout.isLines, found.count < names.count { names.removeLast(layout == .severalPerLine ? 1 : 0) }
            #expect(found == names, "\(layout) cut at \(place)")
        }
    }
}

extension Layout {
    var isPulled: Bool { self == .pulled || self == .prettyPulled }
    var isLines: Bool { Layout.lineLayouts.contains(self) }

    /// The records that may be lost when a byte is damaged.
    fileprivate func records(of log: LaidOutLog, thatDamageMayCostAt place: Int) -> Set<Int> {
        var lost: Set<Int> = []
        for (index, record) in log.places.enumerated() {
            if record.contains(place) { lost.insert(index) }
            if isLines {
                // The line, and the one before when its line feed is hit.
                let (start, end) = (log.lineStart(of: index), log.lineEnd(of: index))
                if (start...end).contains(place) || (end..<end + 4).contains(place) { lost.insert(index) }
                if place + 4 >= start, place < start { lost.insert(index) }
            } else if place < record.lowerBound, index == 0 || place >= log.places[index - 1].upperBound {
                lost.insert(index)
            }
        }
        return lost
    }
}

extension LaidOutLog {
    fileprivate func lineStart(of index: Int) -> Int {
        bytes[..<places[index].lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    }

    fileprivate func lineEnd(of index: Int) -> Int {
        bytes[places[index].upperBound...].firstIndex(of: 0x0A) ?? bytes.count
    }
}
