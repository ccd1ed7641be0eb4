/// A log entry as text, put together member by member, so that a test shows only what it is about.
///
/// ```swift
/// EntryText.first(app: "MISSING").with("timestamp", "null").text
/// ```
package struct EntryText: Sendable {
    /// Keys without quotes, values as JSON text.
    package var members: [(key: String, value: String)]

    package init(_ members: [(key: String, value: String)]) {
        self.members = members
    }

    /// A verification of generation 1.
    package static func first(
        _ name: String = "addMessage", app: String = "VALID", auth: String = "VALID", id: String = "id-1",
        time: String = "2026-10-14T12:00:00Z", project: String = "demo", region: String = "us-central1"
    ) -> EntryText {
        EntryText([
            ("insertId", quoted(id)),
            ("jsonPayload", payload(app: app, auth: auth)),
            (
                "resource",
                """
                {"type":"cloud_function","labels":{"function_name":"\(name)","project_id":"\(project)",\
                "region":"\(region)"}}
                """
            ),
            ("timestamp", quoted(time)),
            ("severity", quoted("DEBUG")),
            ("labels", #"{"firebase-log-type":"callable-request-verification"}"#),
            ("logName", quoted("projects/\(project)/logs/cloudfunctions.googleapis.com%2Fcloud-functions")),
            ("receiveTimestamp", quoted(time)),
        ])
    }

    /// A verification of generation 2.
    package static func second(
        _ service: String = "add-message", app: String = "VALID", auth: String = "VALID", id: String = "id-1",
        time: String = "2026-10-14T12:00:00Z", project: String = "demo", label: String? = "add_message"
    ) -> EntryText {
        let functionID = label.map { #","goog-drz-cloudfunctions-id":"\#($0)""# } ?? ""
        let failed = app == "INVALID" || auth == "INVALID"
        return first(app: app, auth: auth, id: id, time: time, project: project)
            .with("severity", quoted(failed ? "WARNING" : "DEBUG"))
            .with("labels", #"{"firebase-log-type":"callable-request-verification"\#(functionID)}"#)
            .with("logName", quoted("projects/\(project)/logs/run.googleapis.com%2Fstd\(failed ? "err" : "out")"))
            .with(
                "resource",
                """
                {"type":"cloud_run_revision","labels":{"service_name":"\(service)","project_id":"\(project)",\
                "location":"europe-west1","revision_name":"\(service)-00001-abc"}}
                """)
    }

    /// An entry of an application, no verification.
    package static func application(_ text: String, time: String = "2026-10-14T12:00:00Z") -> EntryText {
        EntryText([
            ("insertId", quoted("app")), ("textPayload", quoted(text)), ("timestamp", quoted(time)),
            ("resource", #"{"type":"cloud_function","labels":{"function_name":"addMessage","project_id":"demo"}}"#),
        ])
    }

    /// The SDK's `jsonPayload`.
    package static func payload(app: String, auth: String) -> String {
        let outcome = app == "INVALID" || auth == "INVALID" ? "failed: AppCheck token was rejected." : "passed"
        return """
            {"message":"Callable request verification \(outcome)","verifications":{"app":"\(app)","auth":"\(auth)"}}
            """
    }

    /// The entry with one member replaced, or added at the end; nil removes it.
    package func with(_ key: String, _ value: String?) -> EntryText {
        var members = members.filter { $0.key != key || value != nil }
        guard let value else { return EntryText(members) }
        if let index = members.firstIndex(where: { $0.key == key }) {
            members[index].value = value
        } else {
            members.append((key, value))
        }
        return EntryText(members)
    }

    /// The entry with one more member at the end, whether its key is there already or not.
    package func adding(_ key: String, _ value: String) -> EntryText {
        EntryText(members + [(key, value)])
    }

    /// One line, without its line feed.
    package var text: String {
        "{" + members.map { "\(EntryText.quoted($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }

    package static func quoted(_ text: String) -> String {
        "\"\(text)\""
    }
}
