internal import Platform

/// The address of a caller, as much of it as tells one person from others.
///
/// ```
/// 203.0.113.9   10.0.0.1:80   ::ffff:203.0.113.9            version 4: all of it
/// 2001:DB8::1   fe80::1%eth0   [2001:db8::1]:443            version 6: the first half, which names a network
/// ```
///
/// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#HttpRequest>, whose `remoteIp` may have
/// a port.
struct RemoteAddress: Equatable {
    let bits: UInt64
    let version: UInt64

    private static let longest = "0000:0000:0000:0000:0000:ffff:255.255.255.255".utf8.count

    /// Nil for what is no address.
    init?(_ text: RawText) {
        let colon = text.index(of: .colon, from: 0) ?? text.count
        let isOld = text.cut(0..<colon).contains(UInt8(ascii: "."))
        let isBracketed = !isOld && text.first == .openBracket
        let end = isOld ? colon : isBracketed ? text.index(of: .closeBracket, from: 0) : text.count
        guard let end, !isBracketed || text.isPort(from: end + 1), !isOld || text.isPort(from: end) else { return nil }
        var name = text.cut((isBracketed ? 1 : 0)..<end)
        if !isOld { name = name.cut(0..<(name.index(of: UInt8(ascii: "%"), from: 0) ?? name.count)) }
        guard let (high, low) = RemoteAddress.words(of: name, isOld ? AF_INET : AF_INET6) else { return nil }
        let isMapped = high == 0 && low >> 32 == 0xFFFF
        (bits, version) = isOld ? (high >> 32, 4) : isMapped ? (low & 0xFFFF_FFFF, 4) : (high, 6)
    }

    /// The bytes of an address, as the C library reads it.
    private static func words(of name: RawText, _ family: Int32) -> (high: UInt64, low: UInt64)? {
        guard name.count <= longest, !name.contains(0) else { return nil }
        var address: (UInt64, UInt64) = (0, 0)
        let isRead = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest + 1) { text in
            guard let start = text.baseAddress else { return false }
            // Safe: there is room for the name and the NUL behind it, and for the 16 bytes of an address.
            unsafe memcpy(start, name.start, name.count)
            unsafe text[name.count] = 0
            return unsafe inet_pton(family, start, &address) == 1
        }
        return isRead ? (UInt64(bigEndian: address.0), UInt64(bigEndian: address.1)) : nil
    }
}

extension RawText {
    /// True for nothing at all, or a colon and the number of a port.
    fileprivate func isPort(from start: Int) -> Bool {
        guard start < count else { return true }
        return self[start] == .colon && cut(start + 1..<count).wholeNumber.map { $0 <= 0xFFFF } ?? false
    }
}
