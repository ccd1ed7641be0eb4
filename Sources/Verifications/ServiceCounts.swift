/// Requests to services such as Firestore in App Check's own metric, by period and by how they were answered.
///
/// Counts form a commutative monoid under ``merge(_:)``: of two reads of one period, the larger one counts.
public struct ServiceCounts: Hashable, Sendable {
    /// The labels that the requests of one series have in common: the metric's and its resource's.
    package struct Series: Hashable, Sendable {
        package let project: ExactName
        /// `firestore.googleapis.com`.
        package let service: ExactName
        /// `VALID`, `CONSUMED`, `INVALID`, `MISSING_OUTDATED_CLIENT`, `MISSING_UNKNOWN_ORIGIN`.
        package let security: ExactName
        /// `ALLOW` or `DENY`.
        package let result: ExactName
        /// `1:123456789012:web:00aa`, or `UNKNOWN`.
        package let app: ExactName

        package init(project: String, service: String, security: String, result: String, app: String) {
            (self.project, self.service) = (ExactName(project), ExactName(service))
            (self.security, self.result, self.app) = (ExactName(security), ExactName(result), ExactName(app))
        }
    }

    /// The setting of a project by which a service enforces App Check, or does not.
    package struct Mode: Hashable, Sendable {
        /// The project's number, or its id.
        package let project: ExactName
        package let service: ExactName
        package let isEnforced: Bool
        /// False for `OFF`, where nothing is counted.
        package let isCounted: Bool
        /// The last change of the setting; nil where it was never changed.
        package let updated: Instant?

        package init(project: String, service: String, mode: String, updated: Instant?) {
            (self.project, self.service) = (ExactName(project), ExactName(service))
            (isEnforced, isCounted) = (mode == "ENFORCED", ["ENFORCED", "UNENFORCED"].contains(mode))
            self.updated = updated.flatMap { $0.seconds > 0 ? $0 : nil }
        }
    }

    package private(set) var series: [Series: [Range<Instant>: Int]] = [:]
    package private(set) var modes: Set<Mode> = []
    /// From the first to the last period of each answer, by project.
    package private(set) var spans: [ExactName: Set<Range<Instant>>] = [:]
    /// The projects of reads that are not whole.
    package var incomplete: Set<ExactName> = []

    package init() {}

    package var isEmpty: Bool { series.isEmpty && modes.isEmpty }
    package var projects: Set<ExactName> { Set(series.keys.map(\.project)) }
    package var requests: Int { series.values.reduce(0) { $0 + $1.values.reduce(0, +) } }

    package mutating func add(_ mode: Mode) { modes.insert(mode) }

    /// Adds requests by period of the one answer that these are of.
    package mutating func add(_ counts: [Range<Instant>: Int], of key: Series) {
        guard let first = counts.keys.map(\.lowerBound).min(), let last = counts.keys.map(\.upperBound).max() else {
            return
        }
        let span = spans[key.project]?.first ?? first..<last
        spans[key.project] = [min(span.lowerBound, first)..<max(span.upperBound, last)]
        merge([key: counts])
    }

    private mutating func merge(_ other: [Series: [Range<Instant>: Int]]) {
        series.merge(other) { $0.merging($1, uniquingKeysWith: max) }
    }

    public mutating func merge(_ other: ServiceCounts) {
        merge(other.series)
        modes.formUnion(other.modes)
        spans.merge(other.spans) { $0.union($1) }
        incomplete.formUnion(other.incomplete)
    }

    /// The times that no answer of a project covers, between those that some do; in order.
    package func gaps(of project: ExactName) -> [Range<Instant>] {
        var (gaps, reached) = ([Range<Instant>](), Instant?.none)
        for span in (spans[project] ?? []).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let reached, reached < span.lowerBound { gaps.append(reached..<span.lowerBound) }
            reached = max(reached ?? span.upperBound, span.upperBound)
        }
        return gaps
    }

    /// Projects with periods that overlap, so that requests would count twice; in order.
    package var overlapping: [String] {
        let overlapping = series.filter { _, counts in
            let periods = counts.keys.sorted { $0.lowerBound < $1.lowerBound }
            return zip(periods, periods.dropFirst()).contains { $0.overlaps($1) }
        }
        return Set(overlapping.keys.map(\.project)).sorted().map(\.text)
    }
}
