import LogStream
import Readiness
import Verifications

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
struct DeployedList {
    /// In the order of the file, triggers of all kinds.
    let entries: [InventoryEntry]

    /// - Throws: Why this is not a list of functions. Never repeats its contents: they may be environment variables.
    init(json text: String) throws(InventoryError) {
        let listed = try DeployedList.listed(in: text)
        guard !listed.isEmpty else { throw .noFunctions }
        var entries: [InventoryEntry] = []
        for (index, function) in listed.enumerated() {
            guard let entry = try function.entry() else {
                // What other lists have: entries of a log, services of Cloud Run.
                if try function.text("logName") != nil { throw .logEntries }
                throw try function.text("apiVersion") != nil ? .runServices : .incompleteFunction(number: index + 1)
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    private static func listed(in text: String) throws(InventoryError) -> [ListedFunction] {
        let source = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        guard let first = source.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { throw .empty }
        guard first == "[" || first == "{" else { throw .noJSON }
        guard let document = JSONNode(document: Array(source.utf8)) else { throw .brokenJSON }
        var list = document
        if first == "{" {
            // What every command of the Firebase CLI prints with `--json`.
            guard try ListedFunction(node: document).text("status") != "error" else { throw .commandFailed }
            guard let result = document["result"] else { throw .anotherCommand }
            list = result
        }
        guard case .array(let functions) = list.content else { throw .anotherCommand }
        return functions.map(ListedFunction.init)
    }
}

/// One function as one of the commands lists it: of each shape the fields that tell its place and its trigger.
private struct ListedFunction {
    let node: JSONNode

    /// Nil when the function does not say where it is.
    func entry() throws(InventoryError) -> InventoryEntry? {
        guard case .object = node.content else { throw .anotherCommand }
        // The Firebase CLI: `gcfv1`, `gcfv2`, or `run` for what it deploys as a service without Cloud Functions.
        let platform = try text("platform")
        if let id = try text("id"), let project = try text("project"), let region = try text("region"), let platform,
            !id.isEmpty
        {
            return InventoryEntry(
                project: project, region: region, generation: platform == "gcfv1" ? .first : .second, id: id,
                trigger: trigger(platform), service: ListedFunction.lastPart(try text("runServiceId")))
        }
        // `gcloud`: `projects/PROJECT/locations/REGION/functions/ID`.
        let path = (try text("name") ?? "").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard path.count == 6, path[0] == "projects", path[2] == "locations", path[4] == "functions", path[5] != ""
        else { return nil }
        let service = node["serviceConfig"]?["service"]?.string
        return InventoryEntry(
            project: path[1], region: path[3], generation: try generation(), id: path[5],
            trigger: trigger(platform), service: ListedFunction.lastPart(service))
    }

    /// Nil without the field, or with null in it.
    func text(_ key: String) throws(InventoryError) -> String? {
        switch node[key]?.content {
        case .string(let text): return text
        case nil, .null: return nil
        default: throw .anotherCommand
        }
    }

    private func has(_ key: String) -> Bool { node[key].map { $0.content != .null } ?? false }

    /// The service's name, which may come as `projects/PROJECT/locations/REGION/services/SERVICE`.
    private static func lastPart(_ service: String?) -> String? {
        service?.split(separator: "/").last.map(String.init)
    }

    /// In `gcloud`'s v2 shape `GEN_1` or `GEN_2`.
    private func generation() throws(InventoryError) -> Generation {
        switch try text("environment") {
        case "GEN_1": .first
        case "GEN_2": .second
        default: has("buildConfig") || has("serviceConfig") ? .second : .first
        }
    }

    /// Returns the function's trigger, by labels first: a newer Firebase CLI lists Cloud Run services, and calls
    /// callable ones `httpsTrigger` (`endpointFromService` in firebase-tools `src/gcp/runv2.ts`).
    ///
    /// The labels are those of firebase-tools `src/gcp/cloudfunctions.ts`, the misspelt one of early 2022 included. Who
    /// deploys with the CLI but without Cloud Functions (`run`), or without the CLI, gets no such label.
    private func trigger(_ platform: String?) -> InventoryEntry.Trigger {
        let labels = Set((node["labels"]?.members ?? []).map(\.key))
        if !labels.isDisjoint(with: ["deployment-scheduled", "deployment-taskqueue"]) { return .other }
        if !labels.isDisjoint(with: ["deployment-callable", "deployment-callabled"]) { return .callable }
        if has("callableTrigger") { return .callable }
        let others = [
            "eventTrigger", "scheduleTrigger", "taskQueueTrigger", "blockingTrigger", "dataConnectGraphqlTrigger",
        ]
        if labels.contains("deployment-blocking") || others.contains(where: has) { return .other }
        // A CLI that writes the hash also labels callables: it has done so for longer.
        return labels.contains("firebase-functions-hash") && platform != "run" ? .other : .unknown
    }
}

enum InventoryError: Error, Hashable, Sendable {
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

    func message(file: String) -> String {
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
