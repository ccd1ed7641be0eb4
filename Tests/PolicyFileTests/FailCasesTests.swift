import PolicyFile
import Readiness
import TestSupport
import Testing

/// Every input that ever broke the claim of the fuzzer of policy files, held against it again.
@Suite struct FailCasesTests {
    /// A text is read, or every mistake has words.
    @Test(arguments: try FailCase.all(of: "FuzzPolicy", beside: Array("functions:\n  - name: a\n".utf8)))
    func policy(_ one: FailCase) {
        do throws(InvalidPolicy) {
            let document = try PolicyDocument(yaml: String(decoding: one.bytes, as: UTF8.self))
            #expect(document.entries.allSatisfy { $0.line > 0 })
        } catch {
            #expect(!error.message(file: "policy.yaml").isEmpty)
        }
    }
}
