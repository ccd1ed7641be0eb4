import Readiness
import Verifications

/// Who called, and why App Check tokens were refused; null where the input shows nothing of it.
extension JSONWriter {
    mutating func add(_ causes: CallerSummary.Causes?) {
        guard let causes else { return null("causes") }
        object(.inline, key: "causes") { json in
            for cause in RefusalCause.allCases { json.member(cause.name, causes[cause]) }
            json.member("since", causes.since?.description)
        }
    }

    mutating func add(_ enforcement: CallerSummary.Enforcement?) {
        guard let enforcement else { return null("enforcement") }
        object(.inline, key: "enforcement") { json in
            json.member("state", enforcement.state.rawValue)
            json.member("evidence", enforcement.evidence)
            json.member("since", enforcement.since?.description)
        }
    }

    mutating func add(_ clients: CallerSummary.Clients?) {
        guard let clients else { return null("clients") }
        object(.lines, key: "clients") { json in
            json.member("requests", clients.requests)
            json.member("joined", clients.callers.joined)
            json.member("blocked", clients.blocked)
            json.member("blockedJoined", clients.callers.blockedJoined)
            json.member("alreadyFailing", clients.alreadyFailing)
            json.member("blockedAddresses", clients.blockedAddresses)
            json.member("unlogged", clients.unlogged)
            json.object(.inline, key: "categories") { json in
                let categories = clients.categories
                json.member("verified", categories.verified)
                json.member("outdated", categories.outdated)
                json.member("unknownOrigin", categories.unknownOrigin)
                json.member("invalid", categories.invalid)
            }
            json.array(.lines, key: "kinds") { json in
                for kind in clients.kinds {
                    json.object(.inline) { json in
                        json.member("kind", kind.kind.name)
                        json.member("admitted", kind.admitted)
                        json.member("blocked", kind.blocked)
                    }
                }
            }
            json.array(.lines, key: "versions") { json in
                for version in clients.versions {
                    json.object(.inline) { json in
                        json.member("kind", version.client.name)
                        json.member("app", version.version.app)
                        json.member("version", version.version.version)
                        json.member("os", version.version.os)
                        json.member("admitted", version.admitted)
                        json.member("blocked", version.blocked)
                    }
                }
            }
        }
    }
}
