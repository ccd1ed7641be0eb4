@_spi(Stages) import Analysis
import Foundation

/// Memory of the set that finds copies of entries, at its peak, while it grows.
struct GrowthTable {
    /// Bytes for each entry.
    private static let target = 24.0

    private let entries: Int

    init(_ options: Options) {
        entries = options.entries
    }

    func run() {
        let stages = CountingStages()
        let before = residentBytes
        print("entries     peak bytes an entry, target ≤ \(Int(GrowthTable.target))")
        var isMet = true
        for entry in 1...entries {
            // Distinct, and spread as fingerprints are: the multiplier is odd.
            precondition(stages.insert(UInt64(entry) &* 0x9E37_79B9_7F4A_7C15), "an entry was taken for a copy")
            guard entry % (entries / 10) == 0 else { continue }
            let each = Double(residentBytes - before) / Double(entry)
            isMet = isMet && each <= GrowthTable.target
            print("\(entry)".padded(to: 12), each.formatted(decimals: 1), separator: "")
        }
        print(isMet ? "met" : "MISSED")
    }

    /// The largest resident memory of this process so far.
    private var residentBytes: Int {
        var usage = rusage()
        // Safe: the place outlives the call.
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }
}
