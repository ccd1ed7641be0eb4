import ArgumentParser

/// A size in bytes, as typed: digits, then K, M or G for powers of 1000.
struct ByteCount: ExpressibleByArgument {
    let count: Int

    init?(argument: String) {
        let units: [Character: Int] = ["K": 1_000, "M": 1_000_000, "G": 1_000_000_000]
        let unit = argument.uppercased().last.flatMap { units[$0] }
        let digits = unit == nil ? argument : String(argument.dropLast())
        guard let value = Double(digits), value > 0, value * Double(unit ?? 1) <= 1e13 else { return nil }
        count = Int(value * Double(unit ?? 1))
    }
}
