/// Why a file is not a list of deployed functions.
public enum InventoryError: Error, Hashable, Sendable {
    case empty
    /// No JSON at all: the commands print a table unless told otherwise.
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

    /// What a listed thing is that is no function, where that can be told.
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
    public func message(file: String) -> String {
        "\(file): \(problem). Make the list with\n  \(InventoryError.firebase)\nor\n  \(InventoryError.gcloud)"
    }

    private var problem: String {
        switch self {
        case .empty: "empty: the command printed nothing"
        case .noJSON: "no JSON: without its flag the command prints a table"
        case .brokenJSON: "JSON that ends early or is damaged"
        case .commandFailed: "the command failed, and this is its error"
        case .noFunctions: "a list without functions: another project was asked for, or the command lacks a permission"
        case .anotherCommand: "JSON, but no list of functions"
        case .logEntries: "log entries, which are an input, and no list of functions"
        case .runServices: "a list of Cloud Run services, which does not say which of them are functions"
        case .incompleteFunction(let number): "function \(number) lacks its project, its region or its name"
        }
    }

    private static let firebase = "firebase functions:list --project PROJECT --json > functions.json"
    private static let gcloud = "gcloud functions list --project PROJECT --format=json > functions.json"
}
