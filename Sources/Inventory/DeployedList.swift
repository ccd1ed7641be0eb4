package import Readiness

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

    /// Reads what a command printed.
    ///
    /// - Throws: Why this is not a list of functions. Never says what stands in it: environment variables do.
    package init(json text: String) throws(InventoryError) {
        let listed = try DeployedList.listed(in: text)
        guard !listed.isEmpty else { throw .noFunctions }
        var entries: [InventoryEntry] = []
        for (index, function) in listed.enumerated() {
            guard let entry = function.entry else {
                throw InventoryError(another: function) ?? .incompleteFunction(number: index + 1)
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    private static func listed(in text: String) throws(InventoryError) -> [ListedFunction] {
        let source = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        guard let first = source.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { throw .empty }
        switch first {
        case "[":
            return try decode([ListedFunction].self, from: source)
        case "{":
            let output = try decode(FirebaseOutput.self, from: source)
            guard output.status != "error" else { throw .commandFailed }
            guard let result = output.result else { throw .anotherCommand }
            return result
        default:
            throw .noJSON
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
