@_spi(Stages) import Entries
import Foundation
import Verifications

/// Memory of the set of entries, at its peak, while it grows.
struct SetMemory {
    /// Bytes for each entry.
    private static let target = 18.0

    private let entries: Int

    init(_ options: Options) {
        entries = options.entries
    }

    func run() {
        var stages = CountingStages()
        let before = residentBytes
        print("entries     peak bytes an entry, target ≤ \(Int(SetMemory.target))")
        var isMet = true
        for entry in 1...entries {
            // Distinct, and spread as fingerprints are: the multiplier is odd.
            let fingerprint = Fingerprint(value: UInt64(entry) &* 0x9E37_79B9_7F4A_7C15)
            stages.add(
                Verification(
                    function: 0, app: .valid, auth: .valid, severity: .debug,
                    instant: Instant(seconds: 1_791_979_200 + Int64(entry)), fingerprint: fingerprint))
            guard entry % (entries / 10) == 0 else { continue }
            let each = Double(residentBytes - before) / Double(entry)
            isMet = isMet && each <= SetMemory.target
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
