import Inventory
import PolicyFile
import Readiness
import Reports
import Verifications

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
    mutating func take(_ options: VerdictOptions) throws(Failure) {
        if let path = options.policy {
            let (file, document) = try RunPlan.policy(path)
            policyFile = file
            rules.numbers.apply(document.settings)
            rules.entries = document.entries
        }
        rules.numbers.apply(options.settings)
        rules.numbers.assumeComplete =
            options.assumeComplete ? .everything : options.assumeCompleteFailures ? .failures : .nothing
        if let path = options.inventory { inventory = try RunPlan.inventory(path) }
    }

    /// What to say of the policy's entries that have expired by a day, with file and line.
    func expiries(on day: Day?) -> [String] {
        guard let policyFile, let day else { return [] }
        return rules.expired(on: day).compactMap { $0.expiry(file: policyFile) }
    }

    /// What to say of the policy beside a result: entries that have expired, and entries that speak of no function.
    func remarks(_ judge: Judge, _ input: InputSummary) -> [String] {
        expiries(on: judge.asOf?.day) + idleEntries(judge, input)
    }

    /// What to say of the policy's entries that speak of no function; nothing where inputs are missing that may have
    /// it.
    func idleEntries(_ judge: Judge, _ input: InputSummary) -> [String] {
        guard let policyFile, input.faults.isEmpty else { return [] }
        return judge.idleEntries().map { idle in
            idle.wording(file: policyFile, suggestion: idle.suggestion.map { DisplayText(name: $0).text })
        }
    }

    /// - Throws: ``Failure`` with the status of a wrong policy when an entry has expired by a day.
    func refuseExpiries(on day: Day) throws(Failure) {
        let expiries = expiries(on: day)
        guard expiries.isEmpty else {
            throw Failure(status: .usage, message: expiries.joined(separator: "\ncallcheck: "))
        }
    }

    private static func policy(_ path: String) throws(Failure) -> (file: String, document: PolicyDocument) {
        let file = try TextFile(path, of: "--policy", limit: PolicyDocument.sizeLimit)
        do throws(InvalidPolicy) {
            return (file.name, try PolicyDocument(yaml: file.text))
        } catch {
            throw Failure(status: .usage, message: error.message(file: file.name))
        }
    }

    private static func inventory(_ path: String) throws(Failure) -> [InventoryEntry] {
        let file = try TextFile(path, of: "--inventory", limit: inventoryLimit)
        do throws(InventoryError) {
            return try DeployedList(json: file.text).entries
        } catch {
            throw Failure(status: .usage, message: error.message(file: file.name))
        }
    }
}
