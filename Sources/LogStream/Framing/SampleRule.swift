/// One row of a table by which a source is recognised: what it is, and how its beginning looks then.
struct SampleRule<Outcome: Sendable>: Sendable {
    let outcome: Outcome
    private let fits: @Sendable (Sample) -> Bool

    init(_ outcome: Outcome, _ fits: @escaping @Sendable (Sample) -> Bool) {
        self.outcome = outcome
        self.fits = fits
    }

    /// The outcome of the first row that fits.
    static func first(of rules: [SampleRule], fitting sample: Sample) -> Outcome? {
        rules.first { $0.fits(sample) }?.outcome
    }
}
