import Inventory
import PolicyFile
import Readiness

extension RunPlan {
    /// A thousand functions with all their settings take about 2 MiB.
    private static let inventoryLimit = 64 << 20

    /// Takes over what functions are held against: defaults, then the policy file's numbers, then flags, then its
    /// entries.
    ///
    /// Apart from the initializer, which runs once more to validate the command line: a policy may come out of a pipe
    /// (`--policy <(…)`), which can be read only once.
    ///
    /// - Throws: ``Failure`` with the status of a wrong command line, for a file that cannot be read or used.
    mutating func take(_ options: VerdictOptions) throws {
        if let path = options.policy {
            let document = try RunPlan.policy(path)
            rules.numbers.apply(document.settings)
            rules.entries = document.entries
        }
        rules.numbers.apply(options.settings)
        rules.numbers.assumeComplete = options.assumeComplete
        if let path = options.inventory { inventory = try RunPlan.inventory(path) }
    }

    private static func policy(_ path: String) throws -> PolicyDocument {
        let file = try TextFile(path, limit: PolicyDocument.sizeLimit)
        do throws(InvalidPolicy) {
            return try PolicyDocument(yaml: file.text)
        } catch {
            throw Failure(status: .usage, message: error.message(file: file.name))
        }
    }

    private static func inventory(_ path: String) throws -> [InventoryEntry] {
        let file = try TextFile(path, limit: inventoryLimit)
        do throws(NoInventory) {
            return try DeployedList(json: file.text).entries
        } catch {
            throw Failure(status: .usage, message: error.message(file: file.name))
        }
    }
}
