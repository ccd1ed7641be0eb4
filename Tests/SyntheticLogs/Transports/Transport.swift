/// The shapes in which logs reach people; a new one is a file beside this one and a row in each table here.
public enum Transport: String, CaseIterable, Sendable {
    case lines
    case glued
    case pretty
    case gcloudRead = "gcloud-read"
    case gcloudTail = "gcloud-tail"
    case explorerDownload = "explorer-download"
    case array
    case listPages = "list-pages"
    case tailStream = "tail-stream"
    case pubSubPush = "pubsub-push"
    case pubSubPull = "pubsub-pull"
    case gcloudPull = "gcloud-pull"
    case bigQueryExtract = "bigquery-extract"
    case bigQueryQuery = "bigquery-query"
    case logAnalytics = "log-analytics"
    case logAnalyticsText = "log-analytics-text"
    case explorerText = "explorer-text"
    case sdkLines = "sdk-lines"
    case emulator
    case emulatorColor = "emulator-color"
    case functionsLog = "functions-log"
    case pythonText = "python-text"
    case pythonStructured = "python-structured"
    case pythonLines = "python-lines"

    /// What the transport is, in a few words.
    package var meaning: String {
        switch self {
        case .lines: "newline-delimited entries, as a Cloud Storage sink writes them"
        case .glued: "entries behind one another without line feeds"
        case .pretty: "pretty-printed entries behind one another"
        case .gcloudRead: "gcloud logging read --format=json"
        case .gcloudTail: "gcloud logging tail --format=json, ended by Ctrl-C"
        case .explorerDownload: "Logs Explorer's download"
        case .array: "one array on one line"
        case .listPages: "answers of entries.list, some without entries"
        case .tailStream: "the stream of entries:tail"
        case .pubSubPush: "Pub/Sub push requests, one a line"
        case .pubSubPull: "answers of Pub/Sub's REST pull"
        case .gcloudPull: "gcloud pubsub subscriptions pull --format=json"
        case .bigQueryExtract: "bq extract of a BigQuery sink's tables"
        case .bigQueryQuery: "rows of a BigQuery sink's tables from a query, times as numbers"
        case .logAnalytics: "Log Analytics rows, JSON columns as objects"
        case .logAnalyticsText: "Log Analytics rows, JSON columns as text"
        case .explorerText: "text copied from Logs Explorer"
        case .sdkLines: "the SDK's own lines on standard output"
        case .emulator: "what the Functions emulator shows"
        case .emulatorColor: "the same on a terminal with colours"
        case .functionsLog: "firebase functions:log"
        case .pythonText: "entries of Python functions"
        case .pythonStructured: "a Python function's lines, structured handler"
        case .pythonLines: "a Python function's lines, plain text"
        }
    }

    func writer(_ deployments: [Deployment]) -> any TransportWriter {
        let entries = LineWriter(deployments: deployments)
        let document = EntryDocument(deployments)
        let message = PubSubMessage(entries: entries)
        return switch self {
        case .lines: entries
        case .glued: GluedWriter(entries: entries)
        case .pretty: PrettyWriter(document: document)
        case .gcloudRead: IndentedArrayWriter(document: document, layout: .gcloud, ending: .bracketAndLineFeed)
        case .gcloudTail: IndentedArrayWriter(document: document, layout: .gcloud, ending: .none)
        case .explorerDownload: IndentedArrayWriter(document: document, layout: .indented, ending: .bracket)
        case .array: ArrayWriter(entries: entries)
        case .listPages: ListPagesWriter(document: document)
        case .tailStream: TailStreamWriter(document: document)
        case .pubSubPush: PubSubPushWriter(message: message)
        case .pubSubPull: PubSubPullWriter(message: message)
        case .gcloudPull: GcloudPullWriter(message: message)
        case .bigQueryExtract: BigQueryWriter(document: document, form: .extract)
        case .bigQueryQuery: BigQueryWriter(document: document, form: .query)
        case .logAnalytics: LogAnalyticsWriter(document: document, hasTextColumns: false)
        case .logAnalyticsText: LogAnalyticsWriter(document: document, hasTextColumns: true)
        case .explorerText: ExplorerTextWriter(document: document)
        case .sdkLines: SDKLinesWriter(line: SDKLine(deployments: deployments))
        case .emulator: EmulatorWriter(deployments: deployments, isColored: false)
        case .emulatorColor: EmulatorWriter(deployments: deployments, isColored: true)
        case .functionsLog: FunctionsLogWriter(deployments: deployments)
        case .pythonText: PythonTextWriter(document: document)
        case .pythonStructured: PythonStructuredWriter()
        case .pythonLines: PythonLinesWriter()
        }
    }
}
