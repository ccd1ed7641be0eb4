import Foundation
import Testing
import Yams

@testable import PolicyFile

/// The workflow among the recipes, read by the only reader of YAML that there is here.
@Suite struct WorkflowTests {
    /// The job with this name.
    private func job(_ name: String) throws -> [String: Node] {
        try #require(workflow()["jobs"]?.members[name]?.members)
    }

    private func workflow() throws -> [String: Node] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let file = root.appending(path: "samples/recipes/enforce.yaml").standardizedFileURL
        return try Node.root(of: String(contentsOf: file, encoding: .utf8)).members
    }

    private func steps(_ job: String) throws -> [[String: Node]] {
        guard let steps = try self.job(job)["steps"]?.sequence else { throw Shapeless() }
        return steps.map(\.members)
    }

    /// The deployment waits for the gate, and nothing lets a failure of it pass.
    @Test func theGateStandsBeforeTheDeployment() throws {
        let gates = try steps("gate").filter { $0["run"]?.text?.hasPrefix("callcheck check ") == true }
        let deployments = try steps("deploy").filter { $0["run"]?.text?.contains("firebase deploy") == true }
        #expect(gates.count == 1 && deployments.count == 1)
        #expect(gates[0]["continue-on-error"] == nil)
        #expect(try job("deploy")["needs"]?.text == "gate")
        for job in ["gate", "deploy"] {
            #expect(try self.job(job)["continue-on-error"] == nil)
            #expect(try self.job(job)["if"] == nil)
        }
        #expect(deployments[0]["if"] == nil)
    }

    /// What somebody types into the form must not become a part of a script.
    @Test func scriptsTakeInputsFromTheEnvironment() throws {
        let scripts = try (steps("gate") + steps("deploy")).compactMap { $0["run"]?.text }
        #expect(scripts.count == 9)
        for script in scripts { #expect(!script.contains("${{")) }
    }

    /// Each job may read the repository and say who it is; the token of the checkout stays nowhere.
    @Test func permissionsAreTheLeast() throws {
        #expect(try workflow()["permissions"]?.members.isEmpty == true)
        for name in ["gate", "deploy"] {
            let permissions = try #require(job(name)["permissions"]?.members)
            #expect(permissions.mapValues(\.text) == ["contents": "read", "id-token": "write"])
            let checkouts = try steps(name).filter { $0["uses"]?.text?.hasPrefix("actions/checkout@") == true }
            #expect(checkouts.map { $0["with"]?.members["persist-credentials"]?.text } == ["false"])
        }
    }

    /// Programs are run in pinned versions, never in the newest version of the day.
    @Test func whatIsInstalledIsPinned() throws {
        let scripts = try (steps("gate") + steps("deploy")).compactMap { $0["run"]?.text }.joined(separator: "\n")
        #expect(scripts.contains(#/npm install --global firebase-tools@[0-9]+\.[0-9]+\.[0-9]+\n/#))
        #expect(scripts.contains("| sha256sum --check"))
        #expect(!scripts.contains("npx"))
    }

    private struct Shapeless: Error {}
}

extension Node {
    /// The values of a mapping by their keys; empty for anything else.
    fileprivate var members: [String: Node] {
        guard let pairs = mapping else { return [:] }
        return Dictionary(pairs.compactMap { pair in pair.key.text.map { ($0, pair.value) } }) { first, _ in first }
    }
}
