import Readiness
import Verifications

/// The labels by which the series of a function are found.
///
/// No two functions share them: the collector refuses a file that holds a series twice. Where two have one shown name,
/// the service name stands behind that of the second.
struct FunctionLabels {
    /// The names of functions that cannot go by the one that is shown.
    private var names: [FunctionIdentity: String] = [:]

    init(_ functions: [FunctionSummary]) {
        var taken: Set<FunctionIdentity> = []
        taken.reserveCapacity(functions.count)
        for function in functions {
            let identity = function.identity
            var name = function.name
            while !taken.insert(identity.named(name)).inserted {
                name += " (\(identity.name))"
                names[identity] = name
            }
        }
    }

    subscript(function: FunctionSummary) -> PrometheusWriter.Labels {
        let identity = function.identity
        return [
            ("project", identity.project), ("region", identity.region),
            ("function", names[identity] ?? function.name),
            ("generation", identity.generation.map { String($0.rawValue) } ?? ""),
        ]
    }
}

extension FunctionIdentity {
    fileprivate func named(_ name: String) -> FunctionIdentity {
        FunctionIdentity(project: project, region: region, name: name, generation: generation)
    }
}
