import Foundation
import TestSupport
import Testing

@testable import LogStream

/// Addresses of callers, in all the spellings that a row may have.
@Suite struct RemoteAddressTests {
    private func read(_ text: String) -> RemoteAddress? {
        var text = text
        return text.withUTF8 { unsafe RemoteAddress(RawText($0)) }
    }

    @Test(
        arguments: [
            ("203.0.113.9", "203.0.113.9:443"), ("203.0.113.9", "::ffff:203.0.113.9"),
            ("203.0.113.9", "::FFFF:cb00:7109"), ("203.0.113.9", "[::ffff:203.0.113.9]:80"),
            ("2001:db8::1", "2001:DB8:0:0:0:0:0:1"), ("2001:db8::1", "2001:0db8::0001"),
            ("2001:db8::1", "[2001:db8::1]"), ("2001:db8::1", "[2001:db8::1]:443"),
            ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff"), ("2001:db8::1", "2001:db8:0:0:1::"),
            ("2001:db8::1", "2001:db8::203.0.113.9"), ("fe80::1", "fe80::1%eth0"), ("fe80::1", "fe80::%25en0"),
            ("::", "::1"), ("1:2:3:4:5:6:7:8", "1:2:3:4::"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::"),
        ])
    func oneAddress(text: String, other: String) {
        let found = [read(text), read(other)]
        #expect(found[0] == found[1] && !found.contains(nil))
    }

    @Test(
        arguments: [
            ("203.0.113.9", "203.0.113.8"), ("2001:db8::1", "2001:db8:0:1::1"), ("2001:db8::1", "2001:db9::1"),
            ("0.0.0.1", "::1"), ("203.0.113.9", "::203.0.113.9"),
        ])
    func twoAddresses(text: String, other: String) {
        let found = [read(text), read(other)]
        #expect(found[0] != found[1] && !found.contains(nil))
    }

    @Test(
        arguments: [
            "", " ", "-", "unknown", "203.0.113", "203.0.113.9.1", "203.0.113.256", "203.0.113.09", "203.0..9",
            "203.0.113.9 ", "203.0.113.-9", "203.0.113.9/24", "203.0.113.9:", "203.0.113.9:99999", "203.0.113.9:x",
            ":", ":::", "::1::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", ":1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:", "12345::", "g::", "::1.2.3", "1.2.3.4::", "[", "[]", "[::1", "[::1]x", "[203.0.113.9]",
            "%eth0", "localhost", "example.com", "２０３.0.113.9",
            String(repeating: "1", count: 10_000), String(repeating: ":", count: 10_000),
            String(repeating: "1.", count: 5_000), String(repeating: "1:", count: 5_000),
        ])
    func noAddress(text: String) { #expect(read(text) == nil, "\(text.prefix(60))") }

    /// What the C library takes for an address is one, and has the same bytes.
    @Test func agreesWithTheCLibrary() {
        var random = SeededGenerator(seed: 12)
        let pieces = [":", ":", "::", ".", ".", "0", "1", "ff", "ffff", "255", "256", "10", "12345", "Ab", "01", "g"]
        var addresses = 0
        for round in 0..<200_000 {
            let count = Int.random(in: 1...16, using: &random)
            var text = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            if round % 4 == 0 { text = "::ffff:" + text }
            if round % 3 == 0 { text = text.replacing("::", with: ":").replacing(".", with: ":") }
            // A port may follow, which the library does not know.
            guard text.firstMatch(of: /^[^:]*\.[^:]*:/) == nil else { continue }
            var (old, new) = (in_addr(), [UInt8](repeating: 0, count: 16))
            var expected: (version: UInt64, bits: UInt64)?
            if unsafe inet_pton(AF_INET, text, &old) == 1 {
                expected = (4, UInt64(UInt32(bigEndian: old.s_addr)))
            } else if unsafe inet_pton(AF_INET6, text, &new) == 1 {
                let isMapped = new[..<10].allSatisfy { $0 == 0 } && new[10...11].allSatisfy { $0 == 0xFF }
                let bytes = isMapped ? new[12...] : new[..<8]
                expected = (isMapped ? 4 : 6, bytes.reduce(0) { $0 << 8 | UInt64($1) })
            }
            let found = read(text)
            #expect(found?.version == expected?.version && found?.bits == expected?.bits, "\(text)")
            addresses += expected == nil ? 0 : 1
        }
        #expect(addresses > 2_000, "\(addresses)")
    }
}
