import Foundation
import Testing

@testable import PolicyFile

/// The workflow among the recipes, read by the only reader of YAML that there is here.
@Suite struct WorkflowTests {
    private func steps() throws -> [[String: YAMLNode]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let file = root.appending(path: "samples/recipes/enforce.yaml").standardizedFileURL
        let workflow = try YAMLNode.root(of: String(contentsOf: file, encoding: .utf8))
        let job = try #require(workflow.members["jobs"]?.members["enforce"])
        guard case .list(let steps)? = job.members["steps"]?.content else { throw Shapeless() }
        return steps.map(\.members)
    }

    /// The gate stands before the deployment, and nothing lets a failure of it pass.
    @Test func theGateStandsBeforeTheDeployment() throws {
        let steps = try steps()
        let gate = try #require(steps.firstIndex { $0["run"]?.text?.hasPrefix("callcheck check ") == true })
        let deployment = try #require(steps.firstIndex { $0["run"]?.text?.contains("firebase deploy") == true })
        #expect(gate < deployment)
        #expect(steps[gate]["continue-on-error"] == nil)
        #expect(steps[deployment]["if"] == nil)
    }

    /// What somebody types into the form must not become a part of a script.
    @Test func scriptsTakeInputsFromTheEnvironment() throws {
        let scripts = try steps().compactMap { $0["run"]?.text }
        #expect(scripts.count == 5)
        for script in scripts { #expect(!script.contains("${{")) }
    }

    private struct Shapeless: Error {}
}

extension YAMLNode {
    /// The values of a mapping by their keys; empty for anything else.
    fileprivate var members: [String: YAMLNode] {
        guard case .mapping(let pairs) = content else { return [:] }
        return Dictionary(pairs.compactMap { pair in pair.key.text.map { ($0, pair.value) } }) { first, _ in first }
    }
}
