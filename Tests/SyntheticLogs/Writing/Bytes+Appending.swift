import Verifications

extension [UInt8] {
    mutating func append(_ text: String) {
        append(contentsOf: text.utf8)
    }

    /// Appends a number in decimal, padded with zeros to at least `digits` digits.
    mutating func append(decimal value: UInt64, digits: Int = 1) {
        var places = [20 of UInt8](repeating: UInt8(ascii: "0"))
        var index = 20
        var rest = value
        while rest > 0 {
            index -= 1
            places[index] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        index = Swift.min(index, 20 - digits)
        while index < 20 {
            append(places[index])
            index += 1
        }
    }

    /// Appends the low digits of a number in lower-case hexadecimal.
    mutating func append(hexadecimal value: UInt64, digits: Int) {
        var shift = UInt64(digits) * 4
        while shift > 0 {
            shift -= 4
            let digit = UInt8(truncatingIfNeeded: value >> shift) & 0xf
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Appends the 12 digits in base 36 of a number below 36¹².
    mutating func append(base36 value: UInt64) {
        var places = [12 of UInt8](repeating: 0)
        var rest = value
        for index in 0..<12 {
            let digit = UInt8(truncatingIfNeeded: rest % 36)
            places[11 - index] = digit < 26 ? UInt8(ascii: "a") + digit : UInt8(ascii: "0") + digit - 26
            rest /= 36
        }
        for index in 0..<12 { append(places[index]) }
    }

    /// Appends random letters and digits.
    mutating func append(base62 random: inout SeededRandom, digits: Int) {
        for _ in 0..<digits {
            let digit = UInt8(truncatingIfNeeded: random.below(62))
            switch digit {
            case 0..<26: append(UInt8(ascii: "A") + digit)
            case 26..<52: append(UInt8(ascii: "a") + digit - 26)
            default: append(UInt8(ascii: "0") + digit - 52)
            }
        }
    }

    /// Appends RFC 3339 in UTC with 0, 3, 6 or 9 fraction digits, as Cloud Logging writes it.
    mutating func append(_ instant: Instant) {
        append(secondsOf: instant, separator: "T")
        let nanoseconds = UInt64(instant.nanoseconds)
        if nanoseconds > 0 {
            append(UInt8(ascii: "."))
            if nanoseconds % 1000 > 0 {
                append(decimal: nanoseconds, digits: 9)
            } else if nanoseconds % 1_000_000 > 0 {
                append(decimal: nanoseconds / 1000, digits: 6)
            } else {
                append(decimal: nanoseconds / 1_000_000, digits: 3)
            }
        }
        append(UInt8(ascii: "Z"))
    }

    /// Appends date, separator, time with six fraction digits, and zone: how tables write a TIMESTAMP.
    mutating func append(microseconds instant: Instant, separator: String, zone: String) {
        append(secondsOf: instant, separator: separator)
        append(UInt8(ascii: "."))
        append(decimal: UInt64(instant.nanoseconds / 1000), digits: 6)
        append(zone)
    }

    private mutating func append(secondsOf instant: Instant, separator: String) {
        let (year, month, day) = instant.day.civil
        let second = UInt64(instant.nanosecondOfDay / 1_000_000_000)
        append(decimal: UInt64(year), digits: 4)
        append(UInt8(ascii: "-"))
        append(decimal: UInt64(month), digits: 2)
        append(UInt8(ascii: "-"))
        append(decimal: UInt64(day), digits: 2)
        append(separator)
        append(decimal: second / 3600, digits: 2)
        append(UInt8(ascii: ":"))
        append(decimal: second / 60 % 60, digits: 2)
        append(UInt8(ascii: ":"))
        append(decimal: second % 60, digits: 2)
    }
}

func hexadecimal(_ value: UInt64, digits: Int) -> String {
    var bytes: [UInt8] = []
    bytes.append(hexadecimal: value, digits: digits)
    return String(decoding: bytes, as: UTF8.self)
}

func zeroPadded(_ value: Int, _ digits: Int) -> String {
    var bytes: [UInt8] = []
    bytes.append(decimal: UInt64(value), digits: digits)
    return String(decoding: bytes, as: UTF8.self)
}

/// The content of a JSON string (RFC 8259 §7) that spells the text.
///
/// As ASCII, characters beyond it become `\u` escapes, those beyond U+FFFF two of them, a surrogate pair.
func jsonEscaped(_ text: String, asASCII: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": bytes.append("\\\"")
        case "\\": bytes.append("\\\\")
        case "\n": bytes.append("\\n")
        case "\t": bytes.append("\\t")
        default:
            if scalar.value < 0x20 || (asASCII && !scalar.isASCII) {
                for unit in String(scalar).utf16 {
                    bytes.append("\\u")
                    bytes.append(hexadecimal: UInt64(unit), digits: 4)
                }
            } else {
                bytes.append(contentsOf: String(scalar).utf8)
            }
        }
    }
    return bytes
}
