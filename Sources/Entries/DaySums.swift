package import Readiness
package import Verifications

/// What the entries of one UTC day count, by the keyed hash of the function or service: all that is left of them when
/// they are given up.
package struct DaySums: Sendable {
    private(set) var functions: [UInt64: RawFunction] = [:]
    /// Rows that no verification belongs to.
    private(set) var open = 0

    package init() {}

    /// What was counted of a day, among others or not.
    ///
    /// - Parameters:
    ///   - resolved: The counts, those of services included.
    ///   - day: The day.
    ///   - names: By hash, those of the functions.
    package init(_ resolved: ResolvedSet, of day: DayIndex, names: [UInt64: FunctionIdentity]) {
        for (hash, name) in names {
            if let function = resolved.tally.functions[name], !function.hasNoCounts { functions[hash] = function }
        }
        for (hash, callers) in resolved.services where !callers.days.isEmpty {
            functions[hash, default: RawFunction()].rows.merge(callers)
        }
        open = day.day.flatMap { resolved.open[$0] } ?? 0
    }

    /// How many verifications count.
    package var verifications: Int { functions.values.reduce(0) { $0 + $1.verifications } }

    /// How many functions have one that counts.
    package var functionCount: Int { functions.values.count { $0.verifications > 0 } }

    /// Takes what another store has kept of the day: of a function that both know, what counts more verifications, or
    /// has the smaller bytes.
    package mutating func mergeSealed(_ other: DaySums) {
        for (hash, theirs) in other.functions {
            guard let ours = functions[hash] else {
                functions[hash] = theirs
                continue
            }
            let (number, others) = (ours.verifications, theirs.verifications)
            guard number <= others, theirs != ours else { continue }
            if number < others || theirs.packed.lexicographicallyPrecedes(ours.packed) { functions[hash] = theirs }
        }
        open = max(open, other.open)
    }

    package var bytes: [UInt8] {
        var (encoder, sums) = (ByteEncoder(), self)
        sums.code(&encoder)
        return encoder.written
    }

    /// Reads the sums of a day as they count in a range.
    ///
    /// - Parameters:
    ///   - bytes: What ``bytes`` has written, or anything else.
    ///   - day: The day.
    ///   - range: What counts, by whole days.
    ///   - horizon: Verifications after it do not decide what is judged as of.
    ///   - versions: The versions of the clients.
    /// - Throws: That the bytes are something else.
    package init(
        _ bytes: ArraySlice<UInt8>, of day: DayIndex, range: TimeRange = TimeRange(),
        horizon: Instant = Instant(seconds: .max), versions: ClientVersions?
    ) throws(MalformedBytes) {
        var decoder = ByteDecoder(bytes, versions: versions)
        try code(&decoder)
        try decoder.end()
        for function in functions.values { try decoder.require(function.isOf(day.day)) }
        functions = functions.mapValues { $0.days(range, horizon: horizon) }
    }

    private mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        var read: [UInt64: RawFunction] = [:]
        for (hash, function) in try coder.elements(functions.sorted { $0.key < $1.key }, or: (0, RawFunction())) {
            let hash = try coder.word(hash)
            var function = function
            try function.code(&coder)
            try coder.require(read.updateValue(function, forKey: hash) == nil)
        }
        functions = read
        open = try coder.number(open, in: Limits.entries)
    }
}

extension ResolvedSet {
    /// Adds what a day counts; the names are those of the functions, by hash.
    package mutating func add(_ sums: DaySums, of day: DayIndex, names: [UInt64: FunctionIdentity]) {
        for (hash, function) in sums.functions {
            input.add(function)
            if let name = names[hash] {
                tally.add(function, for: name)
            } else {
                services[hash, default: FunctionCallers()].merge(function.rows)
            }
        }
        if sums.open > 0, let day = day.day { open[day, default: 0] += sums.open }
    }

    /// Adds what queries have counted of other projects.
    package mutating func add(_ counted: RawTally) {
        for function in counted.functions.values { input.add(function) }
        tally.merge(counted)
    }
}

extension InputSummary {
    fileprivate mutating func add(_ function: RawFunction) {
        for part in Provenance.allCases.map({ function[$0] }) {
            verifications += part.tally.totals.total
            undated += part.tally.undated.total
            duplicates += part.copies
            filtered += part.filtered
        }
        ignored += function.repeated + function.repeatedAlone
    }
}

extension RawFunction {
    fileprivate var verifications: Int { Provenance.allCases.reduce(0) { $0 + self[$1].tally.totals.total } }

    fileprivate var hasNoCounts: Bool {
        repeated + repeatedAlone == 0 && rows.days.isEmpty && Provenance.allCases.allSatisfy { self[$0].isEmpty }
    }

    /// False where there is anything of another day.
    fileprivate func isOf(_ day: Day?) -> Bool {
        rows.days.keys.allSatisfy { $0 == day }
            && Provenance.allCases.allSatisfy { provenance in
                let part = self[provenance]
                return part.tally.days.allSatisfy { $0.day == day } && part.callers.days.keys.allSatisfy { $0 == day }
            }
    }

    /// What is counted by day, in bytes.
    fileprivate var packed: [UInt8] {
        var (encoder, function) = (ByteEncoder(), self)
        function.code(&encoder)
        return encoder.written
    }

    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        repeated = try coder.number(repeated, in: Limits.entries)
        repeatedAlone = try coder.number(repeatedAlone, in: Limits.entries)
        for provenance in Provenance.allCases {
            guard try coder.flag(!self[provenance].isEmpty) else { continue }
            var part = self[provenance]
            try part.code(&coder, Limits.entries)
            try part.callers.code(&coder)
            self[provenance] = part
        }
        try rows.code(&coder)
    }
}
