import Foundation
import FuzzSupport
import Verifications

/// One record as a line, as an element of an array, and in the eyes of Foundation's parser.
///
/// A line that Foundation takes for an object is one record in every container, with the same verification in it; and
/// when its label says that it is a verification, and it has a status, it is counted. Damage to it costs at most two
/// records after it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecord(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard !bytes.contains(0x0A), bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return -1 }
    let line = Fuzzed(first + [0x0A] + bytes + [0x0A])
    require(line.addsUp, "a record was classed twice")
    guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
        isStrictlyJSON(bytes)
    else { return 0 }
    let array = Fuzzed(Array("[".utf8) + first + Array(",\n".utf8) + bytes + Array("]".utf8))
    require(array.found == line.found, "an array and a line differ")
    require(array.summary.malformed == line.summary.malformed, "an array and a line differ in malformed records")
    let labels = object["labels"] as? [String: Any]
    let isLabelled = labels?["firebase-log-type"] as? String == "callable-request-verification"
    if isLabelled, hasStatus(object), !mayRepeatKeys(object, bytes) {
        require(line.found.count + line.summary.malformed + line.summary.ignored == 1, "a verification was lost")
    }
    requireBound(ofDamageTo: bytes)
    return 0
}

/// True for an entry with a status where the SDK writes it.
private func hasStatus(_ entry: [String: Any]) -> Bool {
    let statuses = (entry["jsonPayload"] as? [String: Any])?["verifications"] as? [String: Any]
    return ["app", "appCheck", "auth"].contains { statuses?[$0] is String }
}

private let first = Array(#"{"insertId":"0","textPayload":"the first record tells the container"}"#.utf8)

/// Changes a byte or two of a record between others: none before it may be lost, and no more than two after it.
///
/// A list that the record has lost its hold of goes on until it closes: what is damaged there may cost more.
private func requireBound(ofDamageTo record: [UInt8]) {
    var bits = record.reduce(0xCBF2_9CE4_8422_2325) { (bits: UInt64, byte) in (bits ^ UInt64(byte)) &* 0x100_0000_01B3 }
    func choice(below limit: Int) -> Int {
        bits = (bits ^ bits >> 29) &* 0xBF58_476D_1CE4_E5B9
        return Int(bits >> 33) % limit
    }
    // Without its first brace a record reads as more members of the one before it, which has ended too early then.
    let place = 1 + choice(below: record.count - 1)
    guard !isInList(place, of: record) else { return }
    let sign = Array("{}[]\"".utf8)[choice(below: 5)]
    var damaged = record
    switch choice(below: 3) {
    case 0: damaged.remove(at: place)
    case 1: damaged[place] = sign
    default: damaged.insert(contentsOf: repeatElement(sign, count: 1 + choice(below: 2)), at: place)
    }
    let records = neighbours[..<2] + [damaged] + neighbours[2...]
    for (open, separator, close) in [("[", ",", "]"), ("", "\n", "\n")] {
        let text = Array(open.utf8) + records.joined(separator: separator.utf8) + close.utf8
        let names = Set(Fuzzed(text).names)
        require(names.isSuperset(of: ["0", "1"]), "damage has cost a record before it")
        require((2..<8).count { !names.contains("\($0)") } <= 2, "damage has cost more than two records after it")
    }
}

/// Intact verifications, each of the function with its number.
private let neighbours = (0..<8).map { number in
    Array(
        #"""
        {"insertId":"\#(number)","labels":{"firebase-log-type":"callable-request-verification"},\#
        "resource":{"type":"cloud_function","labels":{"function_name":"\#(number)"}},\#
        "jsonPayload":{"verifications":{"app":"VALID","auth":"VALID"}}}
        """#.utf8)
}

/// True for a place inside an array of a record.
private func isInList(_ place: Int, of record: [UInt8]) -> Bool {
    var open: [UInt8] = []
    var (isInString, isEscaped) = (false, false)
    for byte in record[..<place] {
        if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
        isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
        if isInString { continue }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { open.append(byte) }
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { open.removeLast() }
    }
    return open.contains(UInt8(ascii: "["))
}

/// Foundation takes trailing commas and some bytes behind the value that RFC 8259 forbids; its writer does not.
private func isStrictlyJSON(_ bytes: [UInt8]) -> Bool {
    var inString = false
    var isEscaped = false
    var last: UInt8 = 0
    for byte in bytes {
        if inString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                inString = false
            }
        } else if byte == UInt8(ascii: "\"") {
            inString = true
        } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), last == UInt8(ascii: ",") {
            return false
        }
        if byte == 0 { return false }
        if ![0x20, 0x09, 0x0D].contains(byte) { last = byte }
    }
    return true
}

/// Which of two equal keys counts is Foundation's choice, and may not be ours: such records prove nothing.
private func mayRepeatKeys(_ object: [String: Any], _ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return ["labels", "firebase-log-type"].contains { text.components(separatedBy: "\"\($0)\"").count != 2 }
}
