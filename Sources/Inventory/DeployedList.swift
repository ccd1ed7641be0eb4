package import Readiness
import Verifications

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The functions that `firebase functions:list --json` or `gcloud functions list --format=json` lists.
///
/// Three shapes are read, and any mixture of the last two:
/// - The Firebase command writes `{"status": "success", "result": […]}` with its own endpoints (firebase-tools
///   `src/command.ts`, `src/commands/functions-list.ts`, `Endpoint` in `src/deploy/functions/backend.ts`).
/// - `gcloud` writes an array: of generation 2 functions of the v2 API
///   (<https://cloud.google.com/functions/docs/reference/rest/v2/projects.locations.functions>), then
/// - of generation 1 functions of the v1 API
///   (<https://cloud.google.com/functions/docs/reference/rest/v1/projects.locations.functions>); with `--v2` those,
///   too, have the v2 shape, and `environment` tells them apart.
package struct DeployedList: Hashable, Sendable {
    /// In the order of the file, triggers of all kinds.
    package let entries: [InventoryEntry]

    /// - Throws: Why this is not a list of functions. Never repeats its contents: they may be environment variables.
    package init(json text: String) throws(InventoryError) {
        let listed = try DeployedList.listed(in: text)
        guard !listed.isEmpty else { throw .noFunctions }
        var entries: [InventoryEntry] = []
        for (index, function) in listed.enumerated() {
            guard let entry = function.entry else {
                if function.logName != nil { throw .logEntries }
                throw function.apiVersion != nil ? .runServices : .incompleteFunction(number: index + 1)
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    private static func listed(in text: String) throws(InventoryError) -> [ListedFunction] {
        let source = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        guard let first = source.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { throw .empty }
        switch first {
        case "[": return try decode([ListedFunction].self, from: source)
        case "{":
            let output = try decode(FirebaseOutput.self, from: source)
            guard output.status != "error" else { throw .commandFailed }
            guard let result = output.result else { throw .anotherCommand }
            return result
        default: throw .noJSON
        }
    }

    private static func decode<Value: Decodable>(_: Value.Type, from text: Substring) throws(InventoryError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch DecodingError.dataCorrupted {
            throw .brokenJSON
        } catch {
            throw .anotherCommand
        }
    }
}

/// What every command of the Firebase CLI prints with `--json`.
private struct FirebaseOutput: Decodable {
    let status: String?
    let result: [ListedFunction]?
}

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

/// Any value that is there.
private struct Present: Decodable {
    init(from decoder: any Decoder) {}
}

package enum InventoryError: Error, Hashable, Sendable {
    case empty
    case noJSON
    case brokenJSON
    case commandFailed
    case noFunctions
    case anotherCommand
    case logEntries
    case runServices
    /// A function that does not say its project, region and name; they count from 1.
    case incompleteFunction(number: Int)

    package func message(file: String) -> String {
        "\(file): \(problem). Make the list with\n  \(InventoryError.firebase)\nor\n  \(InventoryError.gcloud)"
    }

    private var problem: String {
        switch self {
        case .empty: "empty: the command printed nothing"
        case .noJSON: "not JSON: without its flag the command prints a table"
        case .brokenJSON: "JSON that ends early or is damaged"
        case .commandFailed: "the command failed, and this is its error"
        case .noFunctions: "a list without functions: wrong project, or no permission to list them"
        case .anotherCommand: "JSON, but not a list of functions"
        case .logEntries: "log entries, not a list of functions: pass them as input"
        case .runServices: "a list of Cloud Run services, which does not say which are functions"
        case .incompleteFunction(let number): "function \(number) has no project, region or name"
        }
    }

    private static let firebase = "firebase functions:list --project PROJECT --json > functions.json"
    private static let gcloud = "gcloud functions list --project PROJECT --format=json > functions.json"
}
