import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Damage at random places of every layout: it costs the records that it touches and at most two after it, and nothing
/// is counted that was no record before.
///
/// What applications write may itself hold lists, entries and quoted entries. A list in the damaged record may look as
/// if it went on with the records that follow; those are left out, so damage that begins in a list may cost more.
@Suite struct DamageBoundTests {
    @Test(arguments: Layout.allCases, [1])
    func someDamages(layout: Layout, rounds: Int) {
        expectBound(layout, rounds: rounds)
    }

    @Test(.exhaustive, arguments: Layout.allCases, [60])
    func manyDamages(layout: Layout, rounds: Int) {
        expectBound(layout, rounds: rounds)
    }

    private func expectBound(_ layout: Layout, rounds: Int) {
        var random = SeededGenerator(seed: layout.rawValue.utf8.reduce(0) { 31 &* $0 &+ UInt64($1) })
        for content in Content.allCases {
            let log = layout.log(content.records(60))
            let names = Scan.recognised(log.bytes).found.map(\.identity.name)
            #expect(names.count >= 50)
            for kind in DamageKind.allCases {
                for round in 0..<rounds {
                    let damage = kind.damage(of: log, using: &random)
                    expectBound(of: damage, kind, to: log, names, layout, content, "round \(round)")
                }
            }
        }
    }

    private func expectBound(
        of damage: RandomDamage, _ kind: DamageKind, to log: LaidOutLog, _ names: [String], _ layout: Layout,
        _ content: Content, _ round: String
    ) {
        let comment: Comment = "\(layout), \(content), \(kind) at \(damage.range), \(round)"
        let found = Scan.recognised(damage.bytes).found.map(\.identity.name)
        if content != .entries || !kind.joinsParts {
            #expect(!found.contains(Content.nested), comment)
            #expect(found.count <= names.count || kind == .doubled, comment)
        }
        var lost: [Int] = []
        for index in log.places.indices where !log.isTouched(index, by: damage.range, layout) {
            let name = "f\(index)"
            if names.contains(name), !found.contains(name) { lost.append(index) }
        }
        if layout.isLines {
            // A bracket on a separate line may take the next line with it.
            #expect(lost.count <= (log.isBetweenRecords(damage.range.lowerBound) ? 1 : 0), comment)
        } else if !log.isInList(damage.range.lowerBound) {
            #expect(lost.count <= 2, comment)
            #expect(lost.count { log.places[$0].upperBound < damage.range.lowerBound } == 0, comment)
        }
    }
}

/// What the entries contain in addition to what the SDK writes.
private enum Content: CaseIterable {
    case nothing, lists, entries

    /// The function of entries that are nested in other entries.
    static let nested = "nested"

    func records(_ count: Int) -> [String] { (0..<count).map { record($0) } }

    private func record(_ index: Int) -> String {
        if index % 11 == 5 {
            let text = String(repeating: "long [text ", count: 30)
            return EntryText.application(#"He said \"{\" and }, {"#).adding("x", EntryText.quoted(text)).text
        }
        let (name, id) = ("f\(index)", "i\(index)")
        var entry = index % 2 == 0 ? EntryText.first(name, id: id) : EntryText.second(name, id: id, label: nil)
        if self != .nothing {
            if index % 3 == 0 { entry = entry.adding("list", #"[1,{"a":[{"message":"x"},[1]],"b":{}},"}{[\"]"]"#) }
            if index % 7 == 0 { entry = entry.adding("stack", #"[{"line":1},{"line":2}]"#) }
        }
        return self == .entries ? withEntry(entry, index).text : entry.text
    }

    /// The entry with others in it: in a list, in an object, as text.
    private func withEntry(_ entry: EntryText, _ index: Int) -> EntryText {
        let nested = EntryText.first(Content.nested, app: "MISSING", id: Content.nested).text
        let list = "[" + Array(repeating: nested, count: index % 4 + 1).joined(separator: ",") + "]"
        let payload = EntryText.payload(app: "VALID", auth: "VALID").dropLast()
        switch index % 6 {
        case 0: return entry.with("jsonPayload", #"\#(payload),"items":\#(list),"last":1}"#)
        case 1: return entry.with("jsonPayload", #"\#(payload),"data":{"items":\#(list)}}"#)
        case 2: return entry.adding("protoPayload", #"{"request":{"entry":\#(nested)}}"#)
        case 3: return entry.adding("text", EntryText.quoted(nested.replacing("\"", with: "\\\"")))
        default: return entry
        }
    }
}

private struct RandomDamage {
    var bytes: [UInt8]
    /// Which bytes of the intact log are gone or others; empty where some were only added.
    var range: Range<Int>
}

private enum DamageKind: CaseIterable {
    case hole, hundredLost, overwritten, bracketLost, bracketChanged, bracketAdded, twoBracketsAdded, quoteLost
    case quoteAdded, doubled

    /// True if the beginning of a record may be joined to the end of another, or of one that is nested in it.
    var joinsParts: Bool { self == .hole || self == .hundredLost || self == .doubled }

    func damage(of log: LaidOutLog, using random: inout SeededGenerator) -> RandomDamage {
        let bytes = log.bytes
        var place = Int.random(in: bytes.indices, using: &random)
        let length = Int.random(in: 1...(Bool.random(using: &random) ? 4096 : 300), using: &random)
        let end = min(place + (self == .hundredLost ? 100 : length), bytes.count)
        let brackets = Array("{}[]".utf8)
        let bracket = brackets[Int.random(in: brackets.indices, using: &random)]
        switch self {
        case .bracketLost, .bracketChanged:
            while !brackets.contains(bytes[place]) || bytes[place] == bracket { place = (place + 1) % bytes.count }
        case .quoteLost:
            while bytes[place] != .quote { place = (place + 1) % bytes.count }
        default: break
        }
        let (range, new): (Range<Int>, [UInt8]) =
            switch self {
            case .hole, .hundredLost: (place..<end, [])
            case .overwritten: (place..<end, (place..<end).map { _ in UInt8.random(in: 0...255, using: &random) })
            case .bracketLost, .quoteLost: (place..<place + 1, [])
            case .bracketChanged: (place..<place + 1, [bracket])
            case .bracketAdded: (place..<place, [bracket])
            case .twoBracketsAdded: (place..<place, [bracket, bracket])
            case .quoteAdded: (place..<place, [.quote])
            case .doubled: (end..<end, Array(bytes[place..<end]))
            }
        return RandomDamage(bytes: bytes[..<range.lowerBound] + new + bytes[range.upperBound...], range: range)
    }
}

extension LaidOutLog {
    /// True for a record whose bytes the damage changes; in a line, those of the whole line, its end included.
    fileprivate func isTouched(_ index: Int, by range: Range<Int>, _ layout: Layout) -> Bool {
        var (start, end) = (places[index].lowerBound, places[index].upperBound)
        if layout.isLines {
            while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            (start, end) = (start - 1, end + 1)
        }
        return start < max(range.upperBound, range.lowerBound + 1) && range.lowerBound < end
    }

    fileprivate func isBetweenRecords(_ place: Int) -> Bool { !places.contains { $0.contains(place) } }

    /// True for a place inside a list of a record.
    fileprivate func isInList(_ place: Int) -> Bool {
        guard let record = places.first(where: { $0.contains(place) }) else { return false }
        var open: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in bytes[record.lowerBound..<place] {
            if isInString {
                if !isEscaped, byte == .quote { isInString = false }
                isEscaped = !isEscaped && byte == .backslash
            } else if byte == .quote {
                isInString = true
            } else if byte.opensContainer {
                open.append(byte)
            } else if byte == .closeBrace || byte == .closeBracket {
                open.removeLast()
            }
        }
        return open.contains(.openBracket)
    }
}
