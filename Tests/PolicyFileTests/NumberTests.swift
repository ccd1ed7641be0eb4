import PolicyFile
import Readiness
import Testing

/// Numbers as they are written in a file and behind a flag.
@Suite struct NumberTests {
    @Test(arguments: [
        ("1%", 0.01), ("0.01", 0.01), (".01", 0.01), ("1.0%", 0.01), ("1 %", 0.01), ("01%", 0.01), ("0.7%", 0.007),
        ("0.29%", 0.0029), ("57%", 0.57), ("0.57", 0.57), ("99.999%", 0.99999), ("0.0000001%", 1e-9),
    ])
    func sharesAreExact(text: String, value: Double) throws {
        #expect(try SettingKey[\.maxRefused].read(text) as? Double == value)
    }

    @Test(arguments: ["1", "2", "95", "99"])
    func aBareNumberIsNoShare(digits: String) {
        #expect(throws: SettingFault.noUnit(digits: digits)) { try SettingKey[\.maxRefused].read(digits) }
        #expect(SettingFault.noUnit(digits: digits).description.contains("\(digits)%"))
    }

    @Test(arguments: ["0", "0%", "0.0", "100%", "1.0", "100", "250%", "0.00000001%", "1.5"])
    func aBlockedShareLiesBetweenNothingAndAll(text: String) {
        #expect(throws: SettingFault.shareOutOfRange(1e-9..<1)) { try SettingKey[\.maxRefused].read(text) }
    }

    @Test(arguments: [("50%", 0.5), ("0.5", 0.5), ("95%", 0.95), ("99.99%", 0.9999), ("0.999999", 0.999999)])
    func confidenceIsAtLeastOneHalf(text: String, value: Double) throws {
        #expect(try SettingKey[\.confidence].read(text) as? Double == value)
    }

    @Test(arguments: ["49%", "0.4999", "100%", "1.0", "0%", "1", "0"])
    func otherConfidencesAreRefused(text: String) {
        #expect(throws: SettingFault.shareOutOfRange(0.5..<1)) { try SettingKey[\.confidence].read(text) }
    }

    @Test(arguments: [
        "", "%", ".", "1.", ".%", "1..2", "1.2.3", "-1%", "+1%", "1,5%", "1e-2", "0x1p-3", "nan", "inf", "one", "1%%",
        "% 1", " 1%", "1\u{661}%", "1 ", "0.01 ", String(repeating: "0", count: 40) + ".1",
    ])
    func nothingElseIsAShare(text: String) {
        #expect(throws: SettingFault.notAShare) { try SettingKey[\.maxRefused].read(text) }
    }

    @Test(arguments: [("7", 7), ("7d", 7), ("007", 7), ("1d", 1), ("3650", 3650)])
    func daysAreNumbersWithOrWithoutTheirUnit(text: String, value: Int) throws {
        #expect(try SettingKey[\.window].read(text) as? Int == value)
    }

    @Test(arguments: ["", "d", "7 d", "7D", "w", "1.5", "7.0d", "-7", "+7", "7dd", "seven", "\u{667}"])
    func nothingElseIsANumberOfDays(text: String) {
        #expect(throws: SettingFault.notANumberOfDays) { try SettingKey[\.window].read(text) }
    }

    @Test func daysMayBeWeeks() throws {
        #expect(try SettingKey[\.window].read("2w") as? Int == 14)
        #expect(try SettingKey[\.safeNights].read("8w") as? Int == 56)
        for text in ["0w", "522w", "9223372036854775807w"] {
            #expect(throws: SettingFault.daysOutOfRange(1...3650)) { try SettingKey[\.safeNights].read(text) }
        }
    }

    @Test func daysHaveBounds() throws {
        for text in ["0", "0d", "3651", "99999999999999999999"] {
            #expect(throws: SettingFault.daysOutOfRange(1...3650)) { try SettingKey[\.window].read(text) }
            #expect(throws: SettingFault.daysOutOfRange(1...3650)) { try SettingKey[\.maxWindow].read(text) }
        }
        #expect(try SettingKey[\.minDays].read("0") as? Int == 0)
        #expect(throws: SettingFault.daysOutOfRange(0...3650)) { try SettingKey[\.minDays].read("3651d") }
    }
}
