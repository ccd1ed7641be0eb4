import Readiness
import Verifications

/// The labels by which the series of a function are found.
///
/// No two functions share them: the collector refuses a file that holds a series twice. Where two have one shown name,
/// the service name stands behind that of the second.
struct FunctionLabels {
    private var labels: [FunctionIdentity: PrometheusWriter.Labels] = [:]

    init(_ functions: [FunctionSummary]) {
        var taken: Set<FunctionIdentity> = []
        for function in functions {
            let identity = function.identity
            var name = function.name
            while !taken.insert(identity.named(name)).inserted { name += " (\(identity.name))" }
            labels[identity] = FunctionLabels.labels(identity, name: name)
        }
    }

    subscript(function: FunctionSummary) -> PrometheusWriter.Labels {
        labels[function.identity] ?? FunctionLabels.labels(function.identity, name: function.name)
    }

    private static func labels(_ identity: FunctionIdentity, name: String) -> PrometheusWriter.Labels {
        [
            ("project", identity.project), ("region", identity.region), ("function", name),
            ("generation", identity.generation.map { String($0.rawValue) } ?? ""),
        ]
    }
}

extension FunctionIdentity {
    fileprivate func named(_ name: String) -> FunctionIdentity {
        FunctionIdentity(project: project, region: region, name: name, generation: generation)
    }
}
