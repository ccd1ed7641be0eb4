/// The one-sided upper confidence bound of the mean of a Poisson distribution, from the number of its events.
///
/// It is ½·χ²⁻¹(γ; 2(x + 1)) (Garwood, Biometrika 28, 1936), for real numbers of events as well. The binomial
/// distribution becomes Poisson's as its number of trials grows, so that it is the bound of ``ClopperPearson`` for more
/// requests than a double can distinguish from infinitely many.
enum PoissonBound {
    /// More requests than any double can tell from infinitely many.
    private static let manyRequests = 1e30

    /// Valid are a finite number of events, at least 0, and a confidence between 0 and 1, both excluded.
    static func upper(events: Double, confidence: Double) -> Double {
        manyRequests
            * ClopperPearson.upper(blocked: events, requests: manyRequests + events, confidence: confidence)
    }
}
