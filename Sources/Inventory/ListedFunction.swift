internal import Readiness
internal import Verifications

/// One function as one of the commands lists it: of each shape the fields that tell its place and its trigger.
struct ListedFunction: Decodable {
    /// `gcloud`: `projects/PROJECT/locations/REGION/functions/ID`.
    private let name: String?
    /// `gcloud`, v2 shape: `GEN_1` or `GEN_2`.
    private let environment: String?
    private let buildConfig: Present?
    private let serviceConfig: ServiceConfig?

    /// The Firebase CLI.
    private let id: String?
    private let project: String?
    private let region: String?
    /// `gcfv1`, `gcfv2`, or `run` for what it deploys as a service without Cloud Functions.
    private let platform: String?
    /// The name, or `projects/PROJECT/locations/REGION/services/SERVICE`.
    private let runServiceId: String?
    private let callableTrigger: Present?
    private let scheduleTrigger: Present?
    private let taskQueueTrigger: Present?
    private let blockingTrigger: Present?
    private let dataConnectGraphqlTrigger: Present?

    /// Both.
    private let labels: [String: String]?
    private let eventTrigger: Present?

    /// What other lists have: entries of a log, services of Cloud Run.
    let logName: String?
    let apiVersion: String?

    private struct ServiceConfig: Decodable {
        /// `projects/PROJECT/locations/REGION/services/SERVICE`.
        let service: String?
    }

    /// Nil when the function does not say where it is.
    var entry: InventoryEntry? {
        if let id, let project, let region, let platform, !id.isEmpty {
            let generation: Generation = platform == "gcfv1" ? .first : .second
            return InventoryEntry(
                project: project, region: region, generation: generation, id: id, trigger: trigger,
                service: ListedFunction.lastPart(runServiceId))
        }
        let path = (name ?? "").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard path.count == 6, path[0] == "projects", path[2] == "locations", path[4] == "functions", path[5] != ""
        else { return nil }
        return InventoryEntry(
            project: path[1], region: path[3], generation: generation, id: path[5], trigger: trigger,
            service: ListedFunction.lastPart(serviceConfig?.service))
    }

    /// The service's own name, with or without its place before it.
    private static func lastPart(_ service: String?) -> String? {
        service?.split(separator: "/").last.map(String.init)
    }

    private var generation: Generation {
        switch environment {
        case "GEN_1": .first
        case "GEN_2": .second
        default: buildConfig == nil && serviceConfig == nil ? .first : .second
        }
    }

    /// What starts the function, by labels first: a newer Firebase CLI lists Cloud Run services, and calls callable
    /// ones `httpsTrigger` (`endpointFromService` in firebase-tools `src/gcp/runv2.ts`).
    ///
    /// The labels are those of firebase-tools `src/gcp/cloudfunctions.ts`, the misspelt one of early 2022 included. Who
    /// deploys with the CLI but without Cloud Functions (`run`), or without the CLI, gets no such label.
    private var trigger: InventoryEntry.Trigger {
        let labels = labels ?? [:]
        if labels["deployment-scheduled"] != nil || labels["deployment-taskqueue"] != nil { return .other }
        if labels["deployment-callable"] != nil || labels["deployment-callabled"] != nil { return .callable }
        if callableTrigger != nil { return .callable }
        let others = [eventTrigger, scheduleTrigger, taskQueueTrigger, blockingTrigger, dataConnectGraphqlTrigger]
        if labels["deployment-blocking"] != nil || others.contains(where: { $0 != nil }) { return .other }
        // A CLI that writes the hash also labels callables: it has done so for longer.
        return labels["firebase-functions-hash"] != nil && platform != "run" ? .other : .unknown
    }
}

/// A value that is there, whatever it is.
private struct Present: Decodable {
    init(from decoder: any Decoder) {}
}
