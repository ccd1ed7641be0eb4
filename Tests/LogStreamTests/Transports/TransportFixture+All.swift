import Verifications

/// Every transport that is read, in bytes as they were seen in the wild, anonymised, and shortened where an ellipsis
/// is.
///
/// Where no public bytes were found, the file has what the transport's source or documentation says that it does to
/// entries that were: `gcloud`'s printer indents by two and sorts the keys, BigQuery lower-cases users' fields.
extension TransportFixture {
    static let all = sinks + gcloud + interfaces + messages + rows + consoles + python + oddities

    private static let sinks = [
        TransportFixture(
            file: "sink-stdout.json", records: 3,
            verifications: [
                passed, "PROJ/us-central1/onwrite-food-listings 2 VALID/VALID debug 2025-08-25T13:32:06.000000789Z",
            ], labels: ["onwrite-food-listings": "onwrite_food_listings"]),
        TransportFixture(file: "sink-stderr.json", records: 3, verifications: [failed], errorStreamEntries: 3),
        TransportFixture(file: "sink-requests.json", records: 2, verifications: []),
        TransportFixture(file: "sink-cloud-functions.json", records: 3, verifications: [older, newer]),
    ]

    private static let gcloud = [
        TransportFixture(
            file: "gcloud-read.json", records: 3, verifications: [failed, passed], errorStreamEntries: 1),
        TransportFixture(
            file: "gcloud-tail.json", records: 2, verifications: [passed, failed], errorStreamEntries: 1,
            problems: [.unterminatedArray]),
        TransportFixture(file: "gcloud-nothing.json", records: 0, verifications: []),
    ]

    private static let interfaces = [
        TransportFixture(
            file: "entries-list.json", records: 3, verifications: [passed, failed], errorStreamEntries: 1),
        TransportFixture(
            file: "entries-list-compact.json", records: 3, verifications: [passed, failed], errorStreamEntries: 1),
        TransportFixture(
            file: "entries-tail.json", records: 3, verifications: [passed, failed], errorStreamEntries: 1),
        TransportFixture(
            file: "firebase-json.json", records: 2, verifications: [passed, failed], errorStreamEntries: 1),
        TransportFixture(
            file: "downloaded-logs-20250825-133500.json", records: 2,
            verifications: [passed, "PROJ/us-central1/py 2 MISSING/VALID info 2025-08-25T13:32:04.715384Z"],
            errorStreamEntries: 1),
        TransportFixture(
            file: "explorer-copied.txt", records: 3, verifications: [passed, passed, failed], errorStreamEntries: 1),
        TransportFixture(
            file: "explorer-copied-indented.txt", records: 2, verifications: [passed, failed], errorStreamEntries: 1),
    ]

    private static let messages = [
        TransportFixture(
            file: "pubsub-push.ndjson", records: 3, verifications: [passed, failed], errorStreamEntries: 1),
        TransportFixture(
            file: "pubsub-pull-rest.json", records: 2, verifications: [passed, failed], errorStreamEntries: 1),
        // URL-safe without padding, broken into lines, an object, gzipped; by the attributes' time, by Pub/Sub's; no
        // entry.
        TransportFixture(
            file: "pubsub-pull-gcloud.json", records: 7,
            verifications: [
                passed, failed, newer, older,
                "P/europe-west1/orch-test-1 1 VALID/VALID debug 2023-03-01T10:00:02.000000007Z",
                "P/europe-west1/orch-test-1 1 VALID/VALID debug 2025-08-25T13:32:06.1Z",
            ], errorStreamEntries: 1),
        TransportFixture(
            file: "pubsub-bare.ndjson", records: 3, verifications: [passed, failed], errorStreamEntries: 1),
        TransportFixture(file: "pubsub-cloudevent.ndjson", records: 1, verifications: [passed]),
    ]

    private static let rows = [
        // The time as text, to the second, as text and number of seconds since 1970, and both with an exponent.
        TransportFixture(
            file: "bigquery-rows.ndjson", records: 9,
            verifications: [
                "PROJ/us-central1/onwrite-food-listings 2 VALID/VALID debug 2025-08-25T13:32:06Z", passed, failed,
                passed, passed, passed, "PROJ/us-central1/getcarouselads 2 MISSING/MISSING debug 2025-08-25T13:32:04Z",
                passed,
            ], labels: ["onwrite-food-listings": "onwrite_food_listings"], errorStreamEntries: 1),
        TransportFixture(
            file: "log-analytics-rows.ndjson", records: 3, verifications: [passed, failed], errorStreamEntries: 1),
        TransportFixture(file: "log-analytics-rows.json", records: 2, verifications: [older, newer]),
    ]

    private static let consoles = [
        TransportFixture(
            file: "functions-log.txt", records: 9,
            verifications: [
                "-/-/adminGenerate… - VALID/VALID debug 2026-09-07T15:52:06.436708Z",
                "-/-/addmessage - INVALID/VALID other 2026-09-07T15:52:07.2Z",
                "-/-/addmessage - MISSING/VALID debug 2026-09-07T15:52:08Z",
                "-/-/oldName - MISSING/MISSING info 2026-09-07T15:52:09.5Z",
            ], unidentified: 4),
        TransportFixture(
            file: "sdk-stdout.ndjson", records: 3,
            verifications: ["-/-/- - MISSING/MISSING debug -", "-/-/- - INVALID/VALID other -"], unidentified: 2),
        TransportFixture(file: "emulator.txt", records: 9, verifications: [], ignored: 2),
        TransportFixture(file: "emulator-colours.txt", records: 4, verifications: [], ignored: 2),
    ]

    private static let python = [
        TransportFixture(
            file: "python-text.ndjson", records: 4,
            verifications: [
                "PROJ/us-central1/py 2 MISSING/VALID info 2025-08-25T13:32:04.1Z",
                "PROJ/us-central1/py 2 INVALID/VALID other 2025-08-25T13:32:04.2Z",
                "PROJ/us-central1/py 2 INVALID/INVALID other 2025-08-25T13:32:04.3Z",
            ], errorStreamEntries: 4),
        TransportFixture(
            file: "python-structured.ndjson", records: 3,
            verifications: [
                "PROJ/us-central1/py 2 MISSING/VALID info 2025-08-25T13:32:04.1Z",
                "PROJ/us-central1/py 2 INVALID/INVALID other 2025-08-25T13:32:04.2Z", "-/-/- - INVALID/VALID other -",
            ], unidentified: 1),
        TransportFixture(
            file: "python-console.txt", records: 6,
            verifications: [
                "-/-/- - MISSING/VALID info -", "-/-/- - INVALID/VALID other -", "-/-/- - INVALID/INVALID other -",
                "-/-/- - MISSING/VALID other -",
            ], unidentified: 4),
    ]

    private static let oddities = [
        // Node runtimes without structured logging write everything into the text.
        TransportFixture(
            file: "node-text.ndjson", records: 3,
            verifications: [
                "P/europe-west1/orch-test-1 1 VALID/MISSING info 2021-12-12T15:49:36.384721526Z",
                "P/europe-west1/orch-test-1 1 INVALID/INVALID other 2021-12-12T15:49:36.384721526Z",
            ]),
        // Written by hand after Firebase's page on metrics, which says `appCheck`.
        TransportFixture(
            file: "simulators.ndjson", records: 3,
            verifications: [
                "-/-/- - INVALID/VALID info -",
                "PROJ/us-central1/getcarouselads 2 INVALID/VALID info 2025-08-25T13:32:04.715384Z",
                "PROJ/us-central1/getcarouselads 2 VALID/VALID info 2025-08-25T13:32:04.715384Z",
            ], unidentified: 1),
        TransportFixture(file: "split-and-unknown.ndjson", records: 2, verifications: [passed]),
    ]
}
