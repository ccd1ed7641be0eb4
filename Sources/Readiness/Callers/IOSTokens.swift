package import Verifications

extension CallEvidence {
    /// Admitted requests of iOS apps with a row, of all functions.
    ///
    /// - Parameter first: The first day that counts; nil for all days.
    /// - Returns: Those with a valid token, and those with the placeholder.
    package func iOSTokens(from first: Day?) -> (verified: Int, placeholders: Int) {
        functions.values.lazy.flatMap(\.days).filter { day, _ in first.map { $0 <= day } ?? true }
            .reduce(into: (verified: 0, placeholders: 0)) { sum, day in
                let callers = day.value.admitted(.notRefused)
                sum.verified += callers.iOSVerified
                sum.placeholders += callers.iOSPlaceholders
            }
    }
}
