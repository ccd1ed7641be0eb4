/// Why a file is not an inventory of functions.
package enum InventoryError: Error, Hashable, Sendable {
    case empty
    /// No JSON at all: by default the commands print a table.
    case noJSON
    /// JSON that ends early or is damaged.
    case brokenJSON
    /// The Firebase CLI reported an error.
    case commandFailed
    /// A list without functions.
    case noFunctions
    /// JSON of something else.
    case anotherCommand
    /// `gcloud logging read` and its like.
    case logEntries
    /// `gcloud run services list`.
    case runServices
    /// A function that does not say its project, region and name; they count from 1.
    case incompleteFunction(number: Int)

    /// What a listed thing is that is not a function, where that can be told.
    init?(another thing: ListedFunction) {
        if thing.logName != nil {
            self = .logEntries
        } else if thing.apiVersion != nil {
            self = .runServices
        } else {
            return nil
        }
    }

    /// What is wrong and what to do, for the file of that name.
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
