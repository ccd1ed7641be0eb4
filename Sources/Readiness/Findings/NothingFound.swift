import Verifications

extension Finding.Code {
    package static let noRecord = caution("nothing-found")
    package static let emptyResult = caution("nothing-found")
    /// All ``Finding/count`` requests are later than the time that `--as-of` names.
    package static let allAfterAsOf = caution("nothing-found")
    package static let allAfterClock = caution("nothing-found")
    package static let allFiltered = caution("nothing-found")
    /// All ``Finding/count`` entries are ignored.
    package static let allIgnored = caution("nothing-found")
    package static let unusable = caution("nothing-found")
    /// ``Finding/counts`` says how many requests may be unread, where that is known.
    package static let allUnread = caution("nothing-found")
    package static let errorStreamOnly = caution("nothing-found")
    package static let otherRecords = caution("nothing-found")
}

extension Finding {
    /// True for the reason why there is nothing to show.
    package var isOfNothing: Bool { name == Code.noRecord.name }
}

extension Summary {
    /// The likeliest reason why a run has no verification to show, from what else it saw.
    ///
    /// Nil when there is one, or when an input that could not be read is the reason.
    package var nothingFound: Finding? {
        guard functions.allSatisfy({ $0.totals.total == 0 }), input.serviceRequests == 0 else { return nil }
        if input.records == 0 {
            guard input.faults.isEmpty, input.problems.entries.isEmpty else { return nil }
            return Finding(code: input.bytesDecompressed > 0 ? .emptyResult : .noRecord)
        }
        if input.later > 0 { return Finding(code: isAsOfNamed ? .allAfterAsOf : .allAfterClock, count: input.later) }
        if input.filtered > 0 {
            // The row of a name that no function has says more.
            return functions.allSatisfy(\.isFunction) ? Finding(code: .allFiltered) : nil
        }
        if input.ignored > 0 { return Finding(code: .allIgnored, count: input.ignored) }
        if input.malformed + input.oversized > 0 {
            return Finding(code: .unusable, count: input.malformed + input.oversized)
        }
        if !input.unread.isEmpty {
            return Finding(code: .allUnread, counts: [input.unread.total].compactMap(\.self))
        }
        let hasErrors = projects.values.contains(where: \.showsFailures)
        return Finding(code: hasErrors ? .errorStreamOnly : .otherRecords, count: input.records)
    }
}
