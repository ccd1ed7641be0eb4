@_spi(Checks) import Entries
import TestSupport
import Testing

/// Every input that ever broke the claim of the fuzzer of a store's parts, held against it again.
@Suite struct FailCasesTests {
    @Test(arguments: try FailCase.all(of: "FuzzRows", beside: Array(repeating: 0, count: 200)))
    func rows(_ one: FailCase) {
        #expect(RowChecks.isStable(part: one.bytes, day: 4000))
    }
}
