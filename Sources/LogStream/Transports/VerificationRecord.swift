internal import Verifications

/// One verification, as places in its record.
struct VerificationRecord {
    let identity: NameKey
    /// `goog-drz-cloudfunctions-id`, for generation 2.
    let label: RawText?
    let app: TokenStatus
    let auth: TokenStatus
    let severity: PassSeverity
    let provenance: Provenance
    /// Nil when the entry has no time, or none that is believed.
    let instant: Instant?
    /// The time at which it was received, if its own time is not believed.
    let received: Instant?
    let logName: RawText
    let insertId: RawText
    let execution: Execution?
    /// `revision_name`; empty for generation 1, and where the entry does not say.
    let revisionName: RawText

    /// Returns a value that tells the entry from every other of its time, which copies may give less exactly; nil
    /// without a time or without an `insertId`.
    ///
    /// With the key, nobody can choose an entry by its hash; `function` is the keyed hash of ``identity``.
    func fingerprint(_ key: HashKey, function: UInt64) -> Fingerprint? {
        guard let digest else { return nil }
        var hash = SipHash(key: key)
        hash.add(insertId)
        hash.add(logName)
        hash.add(identity.project)
        hash.add(word: function)
        hash.add(word: UInt64(app.rawValue) | UInt64(auth.rawValue) << 8 | UInt64(provenance.rawValue) << 16)
        return Fingerprint(value: hash.finish(), digest: digest)
    }

    /// Eleven bits of the first 32 bytes of the `insertId`; nil when it has none, or no time.
    var digest: UInt64? {
        guard instant != nil, !insertId.isEmpty else { return nil }
        var sum: UInt64 = 0
        for index in 0..<4 { sum ^= insertId.bigEndianWord(at: index * 8) &* UInt64(2 * index + 1) }
        return (sum &* 0x9E37_79B9_7F4A_7C15) >> 53
    }

    /// Keyed hash of the call of the function that wrote the entry.
    ///
    /// A label that may turn out to be worth nothing must not displace a valid one: so each has a separate key.
    func execution(_ key: HashKey, function: UInt64) -> UInt64? {
        execution?.hash(key, function: function, isLabelAlone: provenance == .labelAlone)
    }
}

/// One call of a function, within which the SDK verifies one request, before the function's own code runs.
enum Execution {
    /// By the labels `instanceId` (empty when there is none) and `execution_id`.
    case call(instance: RawText, id: RawText)
    /// By `trace` (empty when there is none) and `spanId`, where there is no `execution_id`.
    case span(trace: RawText, id: RawText)

    func hash(_ key: HashKey, function: UInt64, isLabelAlone: Bool = false) -> UInt64 {
        var hash = SipHash(key: key)
        hash.add(word: function)
        switch self {
        case .call(let instance, let id):
            // The platform draws instances at random: their ends tell them apart.
            hash.add(word: instance.ends)
            hash.add(id)
        case .span(let trace, let id):
            hash.add(word: 1)
            hash.add(trace)
            hash.add(word: RequestHash.span(id, key, isRow: false))
        }
        if isLabelAlone { hash.add(word: 2) }
        let bit = Verification.spanBit
        return if case .span = self { hash.finish() | bit } else { hash.finish() & ~bit }
    }
}

extension Revision {
    /// Reads the end of a name: a number of five to ten digits and up to three letters or digits, each after a hyphen.
    init(endOf name: RawText) {
        self = .none
        let hyphen = UInt8(ascii: "-")
        guard name.count > 9, let last = (name.count - 4..<name.count - 1).first(where: { name[$0] == hyphen }) else {
            return
        }
        var letters: UInt64 = 0
        for index in last + 1..<name.count {
            guard Revision.isLetter(name[index]) else { return }
            letters = letters << 8 | UInt64(name[index])
        }
        var (place, number, unit) = (last - 1, UInt64(0), UInt64(1))
        while place > 0, UInt8(ascii: "0")...UInt8(ascii: "9") ~= name[place], unit < 10_000_000_000 {
            number += UInt64(name[place] - UInt8(ascii: "0")) * unit
            (place, unit) = (place - 1, unit * 10)
        }
        guard unit >= 100_000, number > 0, name[place] == hyphen else { return }
        self.init(number: number, letters: letters)
    }

    init(chosen name: RawText) {
        var hash: UInt64 = 0x9AE1_6A3B_2F90_404F
        for index in 0..<name.count { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
        self.init(nameHash: max(1, (hash ^ hash >> 32) & ClientVersions.hashMask))
    }
}
