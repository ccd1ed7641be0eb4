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
    /// The time that the entry has, believed or not.
    let stamped: Instant?
    let logName: RawText
    /// Empty when the entry has none.
    let insertId: RawText
    let execution: Execution?

    /// What tells the entry from every other; nil when it has no time or no `insertId`.
    ///
    /// - Parameters:
    ///   - key: Makes hashes that nobody can steer.
    ///   - function: Keyed hash of ``identity``.
    func fingerprint(_ key: HashKey, function: UInt64) -> Fingerprint? {
        guard let instant, !insertId.isEmpty else { return nil }
        let entry = entryHash(at: instant, key)
        var whole = entry
        whole.add(word: function)
        whole.add(word: UInt64(app.rawValue) | UInt64(auth.rawValue) << 8 | UInt64(provenance.rawValue) << 16)
        return Fingerprint(value: whole.finish(), legacy: entry.finish(), rank: rank)
    }

    /// The last character of the `insertId`, as a hexadecimal digit where it is one, before a few bits of the rest.
    private var rank: UInt8 {
        let last = insertId[insertId.count - 1]
        var sum: UInt8 = 0
        for index in 0..<insertId.count { sum = sum &* 31 &+ insertId[index] }
        return UInt8(truncatingIfNeeded: hexadecimalDigit(last) ?? UInt32(last)) << 4 | (sum >> 4 ^ sum) & 0xF
    }

    /// What histories before version 2 knew the entry by, where that is no hash of its bytes.
    func legacyFingerprint(_ key: HashKey) -> UInt64? {
        guard let stamped, !insertId.isEmpty else { return nil }
        return entryHash(at: stamped, key).finish()
    }

    /// Keyed hash of the call of the function that wrote the entry.
    ///
    /// A label that may turn out to be worth nothing must not displace one that stands: so each has a key of its own.
    func execution(_ key: HashKey, function: UInt64) -> UInt64? {
        guard let execution else { return nil }
        var hash = SipHash(key: key)
        hash.add(word: function)
        switch execution {
        case .call(let instance, let id):
            hash.add(instance)
            hash.add(id)
        case .span(let trace, let id):
            hash.add(word: 1)
            hash.add(trace)
            hash.add(id)
        }
        if provenance == .labelAlone { hash.add(word: 2) }
        return hash.finish()
    }

    private func entryHash(at instant: Instant, _ key: HashKey) -> SipHash {
        var hash = SipHash(key: key)
        hash.add(word: UInt64(bitPattern: instant.seconds))
        hash.add(word: UInt64(instant.nanoseconds))
        hash.add(insertId)
        hash.add(logName)
        hash.add(identity.project)
        return hash
    }
}

/// One call of a function, within which the SDK verifies one request, before the function's own code runs.
enum Execution {
    /// By the labels `instanceId` (empty when there is none) and `execution_id`.
    case call(instance: RawText, id: RawText)
    /// By `trace` and `spanId`, where there is no `execution_id`.
    case span(trace: RawText, id: RawText)
}
