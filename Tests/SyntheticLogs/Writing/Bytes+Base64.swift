extension [UInt8] {
    /// Appends base64 (RFC 4648): with `+` and `/`, or safe for URLs with `-` and `_`; padded by `=` or not.
    mutating func append(base64 bytes: [UInt8], isURLSafe: Bool, isPadded: Bool) {
        let digits = isURLSafe ? Self.urlSafeDigits : Self.standardDigits
        var index = 0
        while index + 2 < bytes.count {
            let bits = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            append(digits[bits >> 18])
            append(digits[bits >> 12 & 63])
            append(digits[bits >> 6 & 63])
            append(digits[bits & 63])
            index += 3
        }
        let rest = bytes.count - index
        guard rest > 0 else { return }
        let bits = Int(bytes[index]) << 16 | (rest == 2 ? Int(bytes[index + 1]) << 8 : 0)
        append(digits[bits >> 18])
        append(digits[bits >> 12 & 63])
        if rest == 2 { append(digits[bits >> 6 & 63]) }
        if isPadded { append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - rest)) }
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardDigits = Array("\(letters)+/".utf8)
    private static let urlSafeDigits = Array("\(letters)-_".utf8)
}
