internal import Verifications

/// Reads answers of Cloud Monitoring's `projects.timeSeries.list` for App Check's own metric, and services' modes.
///
/// ```
/// {"timeSeries": [{"metric": {"type": "firebaseappcheck.googleapis.com/services/verification_count",
///                             "labels": {"security": "INVALID", "result": "ALLOW", "app_id": "UNKNOWN"}},
///                  "resource": {"labels": {"resource_container": "my-app", "service_id": "firestore.googleapis.com"}},
///                  "points": [{"interval": {"startTime": "2026-06-23T16:00:00Z", "endTime": "2026-06-23T17:00:00Z"},
///                              "value": {"int64Value": "504"}}, …]}, …], "nextPageToken": "…"}
/// {"services": [{"name": "projects/123456789012/services/firestore.googleapis.com", "enforcementMode": "ENFORCED",
///                "updateTime": "2026-10-01T08:00:00.123456Z"}]}
/// ```
///
/// Libraries for Python spell keys of more than one word `time_series`. Pages follow one another or are in an array; so
/// are single series and services, and those that the Firebase CLI prints with `--json`. A source counts as a whole or
/// not at all: a series that is missing would shift every share.
struct ServicesReader {
    /// A page has at most 100,000 points, of about 300 bytes if it is indented; all may be one series'.
    static let longestPage = 128 << 20

    /// Formats that messages name, and that are not read.
    enum Unread: String, CaseIterable {
        case resources = "resources/verification_count, which counts the same requests once more by resource"
        case verdicts = "services/verdict_count, the deprecated metric with other labels"
        case otherMetric = "another metric than services/verification_count of App Check"
        case query = "an answer of timeSeries.query (MQL)"
        case promQL = "an answer of PromQL"
        case other = "JSON that is no answer of Cloud Monitoring's timeSeries.list"
    }

    /// Why nothing of a source counts.
    private(set) var fault: String?
    private(set) var counts = ServiceCounts()
    private(set) var unread: Set<Unread> = []
    private(set) var requests = 0
    /// True after a page that names the next one.
    private var hasOpenPage = false
    private var hasErrors = false
    /// The projects of the page before, and of the series since then.
    private var projects: Set<ExactName> = []
    private var newProjects: Set<ExactName> = []
    var isIncomplete: Bool { hasOpenPage || hasErrors }
    /// The description of what is missing.
    var gap: String {
        hasErrors
            ? "the answer has errors (executionErrors, unreachable, or an error response)"
            : "the last page names another one (nextPageToken)"
    }
    /// Nothing later was counted yet.
    private let horizon: Instant

    init(horizon: Instant) { self.horizon = horizon }

    /// Recognises a source by the keys at the top of its first object.
    static func isIn(_ object: RawText) -> Bool {
        // A metric that somebody made of the log is not App Check's.
        guard !object.holds("\"logging.googleapis.com/") else { return false }
        var keys: Set<String> = []
        return object.hasMember { key, scanner in
            let value = object.cut(scanner.position..<min(object.count, scanner.position + 256))
            switch key {
            case "timeSeries", "time_series", "timeSeriesData", "time_series_data", "timeSeriesDescriptor",
                "time_series_descriptor", "executionErrors", "execution_errors", "unreachable":
                return true
            // The first page may have nothing but the token of the next one.
            case "nextPageToken", "next_page_token":
                return (object.holds("\"timeSeries\"") || object.holds("\"time_series\""))
                    && !object.holds("\"entries\"")
            case "services": return value.holds("/services/")
            case "name": return value.holds("\"projects/") && value.holds("/services/")
            case "result": return value.holds("/services/")
            case "data": return value.holds("\"resultType\"")
            case "metric", "points", "metricKind", "metric_kind", "valueType", "value_type": keys.insert(key.string)
            default: break
            }
            return keys.count > 1
        }
    }

    /// True for the beginning of a page, up to the bracket that opens its series.
    static func opensPage(_ text: RawText) -> Bool {
        text.firstAnswer { (key, scanner) in
            key == "timeSeries" || key == "time_series" ? scanner.isAtEnd() : nil
        } ?? false
    }

    /// Recognises a piece, such as a line of an answer that is spread over many.
    static func isPart(_ text: RawText) -> Bool {
        text.holds("\"firebaseappcheck.googleapis.com/services/")
            || text.hasPrefix("\"name\": \"projects/") && text.holds("/services/") && !text.holds("/locations/")
    }

    mutating func fail(_ fault: String) { self.fault = self.fault ?? fault }

    mutating func note(_ unread: Unread) { self.unread.insert(unread) }

    /// Says of the projects whether all that was asked for has come.
    mutating func end() { if isIncomplete { counts.incomplete = counts.projects } }

    /// Reads a page, a series or a mode.
    ///
    /// - Returns: How many records it has; nil for what is none of these.
    mutating func read(_ value: RawText) -> Int? {
        guard let node = JSONNode(document: unsafe Array(value.buffer)) else {
            fail(ProblemWording.cutServices)
            return 1
        }
        if node["points"] != nil || node["metric"] != nil && node["resource"] != nil {
            readSeries(node)
            return 1
        }
        if let name = node["name"]?.string {
            readMode(node, name)
            return 1
        }
        if node[either: "timeSeriesData"] != nil || node[either: "timeSeriesDescriptor"] != nil {
            note(.query)
            return 1
        }
        if node["data"]?["resultType"] != nil {
            note(.promQL)
            return 1
        }
        if value.isErrorAnswer {
            hasErrors = true
            return 0
        }
        let pageKeys = ["timeSeries", "nextPageToken", "executionErrors", "unreachable", "unit"]
        // The last page may have nothing at all.
        let isEmptyPage = node.members.isEmpty && node.elements.isEmpty
        if node["services"] == nil, isEmptyPage || pageKeys.contains(where: { node[either: $0] != nil }) {
            let elements = node[either: "timeSeries"]?.elements ?? []
            for element in elements { readSeries(element) }
            // A page of another project is not the one that was named.
            let isForeign = !newProjects.isEmpty && !projects.isEmpty && newProjects.isDisjoint(with: projects)
            if hasOpenPage, isForeign { hasErrors = true }
            if !newProjects.isEmpty { (projects, newProjects) = (newProjects, []) }
            hasOpenPage = !(node[either: "nextPageToken"]?.string ?? "").isEmpty
            let errors = ["executionErrors", "unreachable"].flatMap { node[either: $0]?.elements ?? [] }
            hasErrors = hasErrors || !errors.isEmpty
            return elements.count
        }
        let result = node["result"] ?? node
        let services = result["services"]?.elements ?? result.elements
        for service in services { service["name"]?.string.map { readMode(service, $0) } }
        return services.isEmpty && !node.members.isEmpty ? nil : services.count
    }

    /// `projects/123456789012/services/firestore.googleapis.com`; a service without a mode was never set up.
    private mutating func readMode(_ node: JSONNode, _ name: String) {
        let parts = name.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[0] == "projects", parts[2] == "services" else { return note(.other) }
        counts.add(
            ServiceCounts.Mode(
                project: parts[1], service: parts[3], mode: node[either: "enforcementMode"]?.string ?? "OFF",
                updated: node[either: "updateTime"]?.string.flatMap { Instant(timestamp: $0) }))
    }

    private mutating func readSeries(_ node: JSONNode) {
        switch node["metric"]?["type"]?.string {
        case "firebaseappcheck.googleapis.com/services/verification_count": break
        case "firebaseappcheck.googleapis.com/resources/verification_count": return note(.resources)
        case "firebaseappcheck.googleapis.com/services/verdict_count": return note(.verdicts)
        default: return note(.otherMetric)
        }
        if let kind = node[either: "metricKind"]?.string, kind != "DELTA" {
            fail(
                "series of the kind \(kind == "GAUGE" || kind == "CUMULATIVE" ? kind : "other than DELTA"), which are no sums. "
                    + "Ask with perSeriesAligner=ALIGN_SUM")
        }
        let (metric, resource) = (node["metric"]?["labels"], node["resource"]?["labels"])
        func label(_ name: String, _ labels: JSONNode?) -> String {
            let text = labels?[name]?.string ?? ""
            if text.isEmpty || text.utf8.count > NameTable.textLimit {
                fail("a series without \(name). Leave crossSeriesReducer out, or group by all labels")
            }
            return text
        }
        let series = ServiceCounts.Series(
            project: label("resource_container", resource), service: label("service_id", resource),
            security: label("security", metric), result: label("result", metric), app: label("app_id", metric))
        newProjects.insert(series.project)
        var periods: [Range<Instant>: Int] = [:]
        for point in node["points"]?.elements ?? [] where fault == nil { read(point, into: &periods) }
        counts.add(periods, of: series)
    }

    private mutating func read(_ point: JSONNode, into periods: inout [Range<Instant>: Int]) {
        let digits: String? =
            switch point["value"]?[either: "int64Value"]?.content {
            case .string(let text), .number(let text): text
            default: nil
            }
        guard let requests = digits.flatMap({ Int($0) }), (0...CountedRow.limit).contains(requests) else {
            return fail(
                "a point without a whole number from 0 to 2^40 in int64Value. Ask with perSeriesAligner=ALIGN_SUM")
        }
        func instant(_ key: String) -> Instant? {
            // A period may begin a microsecond after the end of the one before.
            point["interval"]?[either: key]?.string.flatMap { Instant(timestamp: $0) }.map {
                Instant(seconds: $0.seconds)
            }
        }
        guard let start = instant("startTime"), let end = instant("endTime"), start < end,
            start.day >= Day(number: 16_801)
        else { return fail("a point without a period from startTime to endTime") }
        if horizon < end { return fail("a period that ends in the future") }
        let seconds = end.seconds - start.seconds
        if seconds > 3600, start.day != end.adding(seconds: -1).day {
            return fail(
                """
                periods of \(seconds / 3600) hours that are part of two UTC days. Ask by the hour \
                (alignmentPeriod=3600s), or end the interval at midnight UTC
                """)
        }
        self.requests += requests
        if self.requests > CountedRow.limit {
            return fail("more requests than there can be. Check what rewrote the file")
        }
        if requests > 0 { periods[start..<end] = max(periods[start..<end] ?? 0, requests) }
    }
}

extension JSONNode {
    /// The member with a key, or with the same one as `time_series` is of `timeSeries`.
    fileprivate subscript(either key: String) -> JSONNode? {
        self[key] ?? self[key.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }]
    }
}

extension RecordReader {
    /// Reads an element of a source that holds counts of services.
    mutating func readService(_ element: RawText, offset: Int) {
        if let records = current.services?.read(element) {
            summary.records += records
        } else {
            summary.records += 1
            let markers = MarkerCount(unread: element)
            if markers.any {
                leaveUnread(markers, offset..<offset + element.count)
            } else {
                current.services?.note(.other)
            }
        }
    }

    /// Hands what was read to the sink, unless it does not hold.
    mutating func endServices() {
        guard current.services != nil else { return }
        if !summary.faults.isEmpty { current.services?.fail(ProblemWording.cutServices) }
        current.services?.end()
        guard let services = current.services else { return }
        // A source with nothing else has no readable format.
        let isUnread = services.counts.isEmpty && services.fault == nil && !services.unread.isEmpty
        if isUnread { summary.faults.insert(.unsupported) }
        for unread in ServicesReader.Unread.allCases where services.unread.contains(unread) {
            report(isUnread ? .unsupportedFormat : .unexpectedContainer, ProblemWording.unreadServices(unread))
        }
        if let fault = services.fault {
            summary.faults.insert(.unsupported)
            report(.unsupportedFormat, ProblemWording.unusableServices(fault))
        } else {
            if services.isIncomplete { report(.cutPull, ProblemWording.incompleteServices(services.gap)) }
            sink.add(services.counts)
        }
    }
}

extension ProblemWording {
    private static let servicesCommand = "callcheck export services"

    static func incompleteServices(_ gap: String) -> String {
        """
        metrics of services that are not whole: \(gap). No service is ready by them. Read to the last page, and keep all \
        pages of a read in one file (\(servicesCommand))
        """
    }

    static let servicesInLog = """
        metrics or modes of services after records of a log; nothing of them is counted. Pass them as a separate file \
        (\(servicesCommand))
        """

    static let cutServices = "the file is damaged or ends too early. Read it again"

    static func unreadServices(_ unread: ServicesReader.Unread) -> String {
        "not read, and nothing in it is counted: \(unread.rawValue). Read services with \(servicesCommand)"
    }

    static func unusableServices(_ fault: String) -> String {
        "metrics of services that cannot be used; nothing of them is counted: \(fault) (\(servicesCommand))"
    }
}
