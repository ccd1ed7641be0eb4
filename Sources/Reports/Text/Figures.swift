/// Numbers as people read them, in English.
enum Figures {
    /// Groups of three digits: `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// A count with its noun: `1 record`, `1,204 records`, `2 copies`.
    static func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// A share with one decimal, which says none or all only of none or all: `0%`, `<0.1%`, `12.5%`, `>99.9%`, `100%`.
    ///
    /// Empty when there is nothing to have a share of.
    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "" }
        if part == 0 { return "0%" }
        if part == whole { return "100%" }
        let (high, low) = part.multipliedFullWidth(by: 1000)
        let (quotient, remainder) = whole.dividingFullWidth((high, low))
        let tenths = quotient + (remainder >= whole - remainder ? 1 : 0)
        if tenths == 0 { return "<0.1%" }
        if tenths >= 1000 { return ">99.9%" }
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// Bytes in decimal units with three significant digits: `812 B`, `72.9 MB`, `1.11 GB`.
    static func bytes(_ count: Int) -> String {
        let names = ["B", "kB", "MB", "GB", "TB"]
        var unit = 1
        var index = 0
        while count / unit >= 1000, index < names.count - 1 {
            unit *= 1000
            index += 1
        }
        guard index > 0 else { return "\(count) B" }
        let thousandths = count / (unit / 1000)
        let places = thousandths < 10_000 ? 2 : thousandths < 100_000 ? 1 : 0
        let divisor = [1000, 100, 10][places]
        let digits = String((thousandths + divisor / 2) / divisor)
        return "\(digits.dropLast(places))\(places > 0 ? "." : "")\(digits.suffix(places)) \(names[index])"
    }

    static func duration(hours: Double) -> String {
        duration(seconds: Int64(hours * 3600))
    }

    /// A length of time in its two largest units: `3 days`, `23 h 58 min`, `4 min`, `12 s`.
    static func duration(seconds: Int64) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        if hours >= 48 { return "\(grouped(Int(hours / 24))) days" }
        if hours > 0 { return minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min" : "\(seconds) s"
    }
}
