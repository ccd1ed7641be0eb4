/// Many questions asked at once, so that the more are asked the more it takes to believe an answer.
///
/// Holm's step-down procedure (Scandinavian Journal of Statistics 6, 1979): of m p-values the smallest counts m times,
/// the next m − 1 times and so on. Who believes corrected p-values of at most α errs in even one of them with
/// probability α at most, however the questions depend on each other.
public enum HolmCorrection {
    /// The corrected p-values, in the order of the given ones; each at least the given one and at most 1.
    public static func corrected(_ pValues: [Double]) -> [Double] {
        var corrected = pValues
        var floor = 0.0
        for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
            floor = max(floor, min(1, Double(pValues.count - rank) * pValues[index]))
            corrected[index] = floor
        }
        return corrected
    }
}
