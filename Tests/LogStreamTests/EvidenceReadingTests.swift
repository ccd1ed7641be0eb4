import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Rows and lines next to verifications, from entries of a real request (anonymised).
@Suite struct EvidenceReadingTests {
    private struct Read {
        let sink: RecordingSink
        let summary: InputSummary
        let versions: ClientVersions
        let functions: [ScannedFunction?]
    }

    private func read(_ text: String, evidence: Bool = true, strict: Bool = false) throws -> Read {
        var options = ScanOptions()
        options.fingerprintKey = Scan.key
        options.readsEvidence = evidence
        options.isStrict = strict
        let file = try MemoryFile(Array(text.utf8))
        return withExtendedLifetime(file) {
            var scanner = RecordReader(options: options, sink: RecordingSink())
            let summary = scanner.scan(.file(file.path), isPipelined: false, progress: ReadProgress()).summary
            return Read(
                sink: scanner.sink, summary: summary, versions: scanner.clientVersions, functions: scanner.functions)
        }
    }

    private static let resource = """
        {"type":"cloud_run_revision","labels":{"location":"us-central1","service_name":"getcarouselads",\
        "configuration_name":"getcarouselads","project_id":"PROJ","revision_name":"getcarouselads-00001-rob"}}
        """
    private static let agent =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36"

    private static func row(
        method: String = "POST", status: String = "200", agent: String = agent, span: String = "2c6ed7c871074bdc",
        address: String = #""203.0.113.9""#, referer: String = #""http://localhost:7735/""#
    ) -> String {
        """
        {"insertId":"68ac65d5000108bf39726bd9","httpRequest":{"requestMethod":"\(method)","requestUrl":"https://\
        us-central1-PROJ.cloudfunctions.net/getCarouselAds","requestSize":"827","status":\(status),"responseSize":"212",\
        "userAgent":"\(agent)","remoteIp":\(address),"referer":\(referer),"serverIp":"216.239.36.54",\
        "latency":"0.355516564s","protocol":"HTTP/1.1"},"resource":\(resource),"timestamp":"2025-08-25T13:32:04.710153Z",\
        "severity":"INFO","labels":{"instanceId":"0069c7","deployment-callable":"true"},"logName":\
        "projects/PROJ/logs/run.googleapis.com%2Frequests","trace":"projects/PROJ/traces/43ba42ea08e9b0f246e301f34c87922f",\
        "receiveTimestamp":"2025-08-25T13:32:05.316391724Z","spanId":"\(span)"}
        """
    }

    private static let preflight = row(method: "OPTIONS", status: "204", span: "b5206c7345cb417b")

    private static let verification = """
        {"insertId":"68ac65d4000aea7843e7cf31","jsonPayload":{"message":"Callable request verification passed",\
        "verifications":{"app":"MISSING","auth":"MISSING"}},"resource":\(resource),"timestamp":\
        "2025-08-25T13:32:04.715384Z","severity":"DEBUG","labels":{"execution_id":"r5p88bw44evb","instanceId":"0069c7",\
        "firebase-log-type":"callable-request-verification"},"logName":"projects/PROJ/logs/run.googleapis.com%2Fstdout",\
        "trace":"projects/PROJ/traces/43ba42ea08e9b0f246e301f34c87922f","receiveTimestamp":\
        "2025-08-25T13:32:04.724592299Z","spanId":"3201733640996735964"}
        """

    private static let cause = """
        {"insertId":"68ac65d4000aea7843e7cf30","textPayload":"Failed to validate AppCheck token. FirebaseAppCheckError: \
        The provided App Check token has incorrect \\"aud\\" (audience) claim. Expected \\"projects/demo-prod\\" but got \
        \\"projects/999\\".\\n    at <root>","resource":\(resource),"timestamp":"2025-08-25T13:32:04.715300Z","severity":\
        "WARNING","labels":{"execution_id":"r5p88bw44evb","instanceId":"0069c7"},"logName":\
        "projects/PROJ/logs/run.googleapis.com%2Fstderr","trace":"projects/PROJ/traces/43ba42ea08e9b0f246e301f34c87922f",\
        "receiveTimestamp":"2025-08-25T13:32:04.724592299Z","spanId":"3201733640996735964"}
        """

    @Test func oneRequest() throws {
        let text = [
            EvidenceReadingTests.preflight, EvidenceReadingTests.row(), EvidenceReadingTests.cause,
            EvidenceReadingTests.verification,
        ].joined(separator: "\n")
        let found = try read(text)
        let row = try #require(found.sink.rows.first)
        let verification = try #require(found.sink.verifications.first)
        let line = try #require(found.sink.lines.first)
        #expect(found.sink.rows.count == 1 && found.sink.lines.count == 1 && found.sink.verifications.count == 1)
        #expect(row.request == verification.request && row.request.hasSpan)
        #expect(row.client == ClientCode(.webLocal) && row.answer == .success && row.address != 0)
        #expect(row.instant == Instant(timestamp: "2025-08-25T13:32:04.710153Z"))
        #expect(row.service == found.functions.compactMap { $0 }.last?.hash && line.service == row.service)
        #expect(line.meaning == .cause(.otherProject))
        #expect(line.link == .execution(try #require(verification.execution)))
        #expect(found.summary.records == 4 && found.summary.problems.isEmpty)
        let blind = try read(text, evidence: false)
        #expect(blind.sink.rows.isEmpty && blind.sink.lines.isEmpty)
        // Two entries of one request are told by it where not both name their execution.
        #expect(blind.sink.verifications.first?.request == verification.request)
        #expect(blind.summary == found.summary)
    }

    /// Rows of the years before 2022 have a trace and no span.
    @Test func withoutSpan() throws {
        let row = EvidenceReadingTests.row().replacing(#","spanId":"2c6ed7c871074bdc""#, with: "")
        let found = try read(row + "\n" + EvidenceReadingTests.verification)
        let (old, new) = (try #require(found.sink.rows.first), try #require(found.sink.verifications.first))
        #expect(!old.request.hasSpan && old.request.trace == new.request.trace)
    }

    @Test(
        arguments: [
            ("200", .success), ("204", .success), ("401", .unauthenticated), ("400", .failure), ("503", .serverError),
            ("302", .redirect), (#""200""#, .success), (#""401""#, .unauthenticated), ("null", .other), ("{}", .other),
            ("20000", .other), ("403", .forbidden), ("404", .notFound), ("408", .transient), ("429", .transient),
            ("499", .transient), ("409", .failure), ("500", .serverError), ("199", .other),
        ] as [(String, RequestRow.ResponseClass)])
    func answers(status: String, answer: RequestRow.ResponseClass) throws {
        #expect(try read(EvidenceReadingTests.row(status: status)).sink.rows.first?.answer == answer)
    }

    @Test(
        arguments: [
            #""""#, "null", "203", "[\"203.0.113.9\"]", #"{"ip":"203.0.113.9"}"#, "true", #""CANARY""#,
            "\"" + String(repeating: "9", count: 10_000) + "\"", #""203.0.113.9\u0000""#,
        ])
    func noAddress(text: String) throws {
        let found = try read(EvidenceReadingTests.row(address: text))
        #expect(found.sink.rows.map(\.address) == [0] && found.summary.problems.isEmpty)
    }

    /// Which address it is, the key of fingerprints decides.
    @Test func addresses() throws {
        func address(_ text: String) throws -> UInt16? {
            try read(EvidenceReadingTests.row(address: text)).sink.rows.first?.address
        }
        let known = try #require(try address(#""203.0.113.9""#))
        #expect(
            try known != 0 && known == address(#""203.0.113.\u0039""#) && known == address(#""::ffff:203.0.113.9""#))
        #expect(try known != address(#""203.0.113.8""#))
        #expect(try address(#""2001:db8::1""#) == address(#""2001:DB8::2:3%eth0""#))
    }

    /// A referer that names no site is one all the same.
    @Test(
        arguments: [
            (agent, "null", .web, false, nil), (agent, #""""#, .web, false, nil), (agent, #""x""#, .web, true, nil),
            (agent, #""https://Shop.example/x""#, .web, true, "shop.example"),
            (agent, #""https://intranet/x""#, .web, true, "intranet"),
            (agent, #""http://192.0.2.7:8080/""#, .web, true, "192.0.2.7"),
            (agent, #""https://[2001:db8::1]/""#, .web, true, nil),
            ("", "null", .none, false, nil), ("", #""https://shop.example/""#, .none, true, nil),
            ("curl/8", #""https://shop.example/""#, .tool, false, nil),
            ("Dalvik/2.1.0 (Linux; U; Android 14)", "null", .android, false, nil),
            ("Mozilla/5.0 (Linux; Android 14; wv)", #""https://localhost/""#, .androidWebView, true, "localhost"),
        ] as [(String, String, ClientKind, Bool, String?)])
    func referers(agent: String, text: String, kind: ClientKind, hasReferer: Bool, site: String?) throws {
        let found = try read(EvidenceReadingTests.row(agent: agent, referer: text))
        let client = try #require(found.sink.rows.first).client
        #expect(client.kind == kind && client.hasReferer == hasReferer && client.isPossible)
        #expect(found.versions[client.nameHash]?.app == site)
    }

    /// The same row in every spelling gives the same hashes.
    @Test func transports() throws {
        let row = EvidenceReadingTests.row(agent: "com.example.chat/1.2.2 iPhone/15.6.1 hw/iPhone8_2")
        let cause = EvidenceReadingTests.cause
        let plain = try read(row + "\n" + cause)
        let base64 = { (entry: String) in Data(entry.utf8).base64EncodedString() }
        let analytics = #"""
            {"insert_id":"68ac65d5000108bf39726bd9","http_request":{"request_method":"POST","status":200,"user_agent":\#
            "com.example.chat/1.2.2 iPhone/15.6.1 hw/iPhone8_2","remote_ip":"203.0.113.9"},"resource":{"type":\#
            "cloud_run_revision","labels":"{\"location\":\"us-central1\",\"service_name\":\"getcarouselads\",\#
            \"project_id\":\"PROJ\"}"},"timestamp":"2025-08-25T13:32:04.710153Z","log_name":\#
            "projects/PROJ/logs/run.googleapis.com%2Frequests","trace":\#
            "projects/PROJ/traces/43ba42ea08e9b0f246e301f34c87922f","span_id":"2c6ed7c871074bdc"}
            """#
        let texts = [
            "[\(row),\n\(cause)]", #"{"entries":[\#(row),\#(cause)]}"#,
            #"{"message":{"data":"\#(base64(row))"}}"# + "\n" + #"{"message":{"data":"\#(base64(cause))"}}"#,
            row.replacing(#""status":200"#, with: #""status":"200""#)
                .replacing("2025-08-25T13:32:04.710153Z", with: "2025-08-25 13:32:04.710153 UTC") + "\n" + cause,
            row.replacing("iPhone/15", with: "iPhone\\u002f15") + "\n" + cause,
            analytics + "\n" + cause,
        ]
        for text in texts {
            let found = try read(text)
            let (mine, wanted) = (try #require(found.sink.rows.first), try #require(plain.sink.rows.first))
            #expect(found.sink.rows.count == 1, "\(text)")
            #expect(mine.request == wanted.request && mine.fingerprint == wanted.fingerprint, "\(text)")
            #expect(mine.address == wanted.address && mine.service == wanted.service, "\(text)")
            #expect(mine.client.device == .iphone && mine.client == wanted.client && mine.answer == .success, "\(text)")
            #expect(
                found.versions[mine.client.nameHash]
                    == ClientVersion(app: "com.example.chat", version: "1.2.2", os: "15"))
            #expect(found.sink.lines.map(\.meaning) == [.cause(.otherProject)], "\(text)")
            #expect(found.sink.lines.first?.link == plain.sink.lines.first?.link, "\(text)")
        }
    }

    /// Generation 1 has one log for everything, whose name says nothing.
    @Test func firstGeneration() throws {
        let line = EntryText.first().with("jsonPayload", nil).with("labels", #"{"execution_id":"abc"}"#)
            .with("textPayload", #""Allowing request with invalid AppCheck token because enforcement is disabled""#)
        let verification = EntryText.first(app: "INVALID")
            .with("labels", #"{"firebase-log-type":"callable-request-verification","execution_id":"abc"}"#)
        let found = try read(line.text + "\n" + verification.text)
        #expect(found.sink.lines.map(\.meaning) == [.allowing])
        #expect(found.sink.lines.first?.link == found.sink.verifications.first?.execution.map { .execution($0) })
        #expect(found.sink.verifications.first?.request == PackedRequestID.none)
    }

    @Test func functionsLog() throws {
        let text = """
            2026-08-09T04:46:56.879039Z W getsignedimageurls: Failed to validate AppCheck token. FirebaseAppCheckError: \
            Decoding App Check token failed. Make sure
                at verify (/workspace/x.js) { message: 'The AppCheck token' }
            2026-08-09T04:46:56.879146Z W getsignedimageurls: {"verifications":{"app":"INVALID","auth":"VALID"},\
            "message":"Callable request verification failed: AppCheck token was rejected."}
            2026-08-09T04:46:56.879182Z W getsignedimageurls: Allowing request with invalid AppCheck token because \
            enforcement is disabled
            2026-08-09T04:46:57.1Z E py: Error validating token: Verifying App Check token failed. Error: Not enough segments

            """
        let found = try read(text)
        #expect(found.sink.lines.map(\.meaning) == [.cause(.placeholder), .allowing, .cause(.placeholder)])
        #expect(found.sink.lines.allSatisfy { $0.link == .function && $0.isOfRecord })
        #expect(found.summary == (try read(text, evidence: false).summary) && found.summary.records == 4)
    }

    /// Reading rows and SDK lines next to verifications does not change how any text is classed.
    @Test(arguments: [
        row() + row(), row().replacing("}", with: "]"), "[" + row() + "]", row() + "\n{\n\"a\": 1\n}\n" + row(),
        "\"AppCheck token %2Frequests\"", "2026-08-09T04:46:56.879039Z W f: AppCheck token",
        #"{"textPayload":"Failed to validate AppCheck token. "#, "DEBUG 2025-08-25T13:32:04.715384Z AppCheck token",
        #"{"event":"# + row() + "}", #"{"entries":["# + row() + "," + row() + "]}", "[1,2," + row() + "]",
    ])
    func classingStays(text: String) throws {
        for strict in [false, true] {
            for around in [
                text, EvidenceReadingTests.verification + "\n" + text + "\n" + EvidenceReadingTests.verification,
            ] {
                let with = try read(around, strict: strict)
                let without = try read(around, evidence: false, strict: strict)
                #expect(with.summary.records == without.summary.records)
                #expect(with.summary.malformed == without.summary.malformed)
                #expect(with.summary.unexpected == without.summary.unexpected)
                let kinds: [[Problem.Kind]] = [with, without].map { $0.summary.problems.entries.map(\.kind) }
                #expect(kinds[0] == kinds[1])
                #expect(with.sink.verifications.count == without.sink.verifications.count)
            }
        }
    }

    /// A row whose client sends the marker is a row, and counts as an entry like any other.
    @Test func markerInAUserAgent() throws {
        for agent in ["callable-request-verification", "AppCheck token", "%2Fstderr"] {
            let found = try read(EvidenceReadingTests.row(agent: agent))
            #expect(found.sink.rows.map(\.client) == [ClientCode(.other)] && found.sink.verifications.isEmpty)
            #expect(found.summary.records == 1 && found.summary.problems.isEmpty)
        }
    }
}
