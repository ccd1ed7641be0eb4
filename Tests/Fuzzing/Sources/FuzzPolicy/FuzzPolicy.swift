import FuzzSupport
import PolicyFile
import Readiness

/// Any text as a policy file: it is read, or every mistake has a line and words.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPolicy(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    do throws(InvalidPolicy) {
        let document = try PolicyDocument(yaml: text)
        require(document.entries.allSatisfy { $0.line > 0 }, "an entry without a line")
    } catch {
        require(!error.message(file: "policy.yaml").isEmpty, "a mistake without words")
    }
    return 0
}
