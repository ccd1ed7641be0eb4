import Foundation
import Readiness
import Testing
import Verifications

@testable import callcheck

/// The lists that the two commands print.
@Suite struct DeployedListTests {
    @Test func theFirebaseCommandIsRead() throws {
        #expect(
            try entries("firebase") == [
                entry("submitScore", .first, .callable), entry("addMessage", .second, .callable),
                entry("onUserCreated", .second, .other), entry("nightlyReport", .second, .other, in: "europe-west1"),
                entry("stripeWebhook", .first, .other), entry("oldHealthCheck", .first, .unknown),
                entry("typoOf2022", .first, .callable),
            ])
    }

    @Test func theNewerFirebaseCommandIsReadByItsLabels() throws {
        let entries = try entries("firebase-services")
        #expect(
            entries == [
                entry("resizeAvatar", .second, .callable),
                entry("group.bookTable", .second, .unknown, service: "group-booktable"),
                entry("drainQueue", .second, .other), entry("beforeSignIn", .second, .other),
            ])
        #expect(entries.map(\.identity.name) == ["resizeavatar", "group-booktable", "drainqueue", "beforesignin"])
    }

    @Test func bothShapesOfGcloudAreRead() throws {
        let entries = try entries("gcloud")
        #expect(
            entries == [
                entry("scanReceipt", .second, .callable), entry("on_upload", .second, .other, in: "europe-west1"),
                entry("import_contacts", .second, .unknown), entry("submitScore", .first, .callable),
                entry("nightly", .first, .other), entry("legacyCall", .first, .callable),
            ])
        #expect(
            entries.map(\.identity.name) == [
                "scanreceipt", "on-upload", "import-contacts", "submitScore", "nightly", "legacyCall",
            ])
    }

    @Test func aByteOrderMarkIsPassedOver() throws {
        let list = try DeployedList(json: "\u{FEFF}" + text("gcloud"))
        #expect(try list.entries == entries("gcloud"))
    }

    @Test(arguments: [
        ("", InventoryError.empty), ("\u{FEFF}\n \r\n", .empty), ("[]\n", .noFunctions),
        ("{\"status\": \"success\", \"result\": []}", .noFunctions),
        ("{\"status\": \"error\", \"error\": \"HTTP 403\"}", .commandFailed),
        ("┌──────────┬─────────┐\n│ Function │ Version │\n", .noJSON), ("NAME  STATE  TRIGGER\n", .noJSON),
        ("- buildConfig:\n    entryPoint: api\n", .noJSON), ("[{\"name\": \"projects/p", .brokenJSON),
        ("{\"status\": \"success\", \"result\": [", .brokenJSON), ("{}", .anotherCommand),
        ("{\"projects\": {\"default\": \"demo-prod\"}}", .anotherCommand), ("[1, 2]", .anotherCommand),
        ("[\"addMessage\"]", .anotherCommand),
        ("{\"status\": \"success\", \"result\": {\"apps\": 2}}", .anotherCommand),
        ("[{\"logName\": \"projects/p/logs/x\", \"insertId\": \"1\", \"labels\": {}}]", .logEntries),
        ("[{\"apiVersion\": \"serving.knative.dev/v1\", \"kind\": \"Service\"}]", .runServices),
        ("[{}]", .incompleteFunction(number: 1)),
        ("[{\"name\": \"projects/p/locations/r/functions/a\"}, {\"name\": \"b\"}]", .incompleteFunction(number: 2)),
        ("[{\"name\": \"projects/p/locations/r/functions/\"}]", .incompleteFunction(number: 1)),
        ("[{\"name\": \"projects/p/locations/r/services/a\"}]", .incompleteFunction(number: 1)),
        ("[{\"id\": \"a\", \"project\": \"p\", \"platform\": \"gcfv2\"}]", .incompleteFunction(number: 1)),
    ])
    func whatIsNoListOfFunctionsIsRefused(text: String, error: InventoryError) {
        #expect(throws: error) { try DeployedList(json: text) }
    }

    @Test func nestingWithoutEndIsRefused() {
        #expect(throws: InventoryError.brokenJSON) { try DeployedList(json: String(repeating: "[", count: 100_000)) }
    }

    @Test func everyMessageNamesTheFileAndBothCommands() {
        let errors: [InventoryError] = [
            .empty, .noJSON, .brokenJSON, .commandFailed, .noFunctions, .anotherCommand, .logEntries, .runServices,
            .incompleteFunction(number: 3),
        ]
        let messages = errors.map { $0.message(file: "functions.json") }
        #expect(Set(messages).count == errors.count)
        for message in messages {
            #expect(message.hasPrefix("functions.json: "))
            #expect(message.contains("firebase functions:list --project PROJECT --json"))
            #expect(message.contains("gcloud functions list --project PROJECT --format=json"))
        }
        #expect(messages.last?.contains("function 3 has no") == true)
    }

    private func entry(
        _ id: String, _ generation: Generation, _ trigger: InventoryEntry.Trigger, in region: String = "us-central1",
        service: String? = nil
    ) -> InventoryEntry {
        InventoryEntry(
            project: "demo-prod", region: region, generation: generation, id: id, trigger: trigger, service: service)
    }

    private func entries(_ list: String) throws -> [InventoryEntry] {
        try DeployedList(json: text(list)).entries
    }

    private func text(_ list: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Lists")
        return try String(contentsOf: folder.appending(path: "\(list).json"), encoding: .utf8)
    }
}
