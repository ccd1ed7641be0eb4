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
}
