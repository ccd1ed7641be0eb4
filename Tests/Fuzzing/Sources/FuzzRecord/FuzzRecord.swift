import Foundation
import FuzzSupport
import Verifications

/// One record as a line, as an element of an array, and in the eyes of Foundation's parser.
///
/// A line that Foundation takes for an object is one record in every container, with the same verification in it; and
/// when its label says that it is a verification, it is counted.
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
    if labels?["firebase-log-type"] as? String == "callable-request-verification", !mayRepeatKeys(object, bytes) {
        require(line.found.count + line.summary.malformed + line.summary.ignored == 1, "a verification was lost")
    }
    return 0
}

private let first = Array(#"{"insertId":"0","textPayload":"the first record tells the container"}"#.utf8)

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
