import Readiness
import Verifications

extension Suspect.Unit {
    /// `com.example.app 3.0.2 and older`, `Android apps`, `unknown clients`.
    var clients: Wording {
        switch self {
        case .platform(let name): name.clients
        case .versions(let app, let version): "\(name: app) \(name: version) and older"
        case .unknown: "clients that the request log does not show"
        }
    }

    var isOfRelease: Bool {
        switch self {
        case .versions, .platform(.release): true
        case .platform, .unknown: false
        }
    }

    /// True for clients that are nobody's app.
    var isOfProgram: Bool { if case .platform(.kind(let kind)) = self { !kind.isOfPeople } else { false } }
}

extension Suspect {
    /// `, since 5 Nov 10:00 UTC`, `, from 5 Nov 10:00 to 6 Nov 09:00 UTC`; empty where the share is steady.
    var span: Wording {
        guard let since else { return "" }
        guard let until else { return ", since \(CalendarText.minute(since)) UTC" }
        return ", from \(CalendarText.minute(since)) to \(CalendarText.minute(until)) UTC"
    }
}

extension Aftermath {
    /// The newest versions of apps, which people whose version is refused can update to.
    var working: [Document.Block] {
        callers.working.map { versions in
            .paragraph(
                """
                \(name: versions.app) works from \(name: versions.from) on: none of \(Figures.grouped(versions.requests)) \
                requests refused.
                """)
        }
    }
}

extension WhatIf.Change {
    /// `without com.example.app@3.0.2`, `accept-platforms: web/firefox`, `since: 2026-10-12`, `requires-auth`: as a
    /// policy has it.
    var name: String {
        switch self {
        case .without(let unit): "without \(unit.name)"
        case .since(let day): "since: \(day)"
        case .withoutExemption: "without exempt"
        case .set(let values):
            if let platform = values.acceptPlatforms?.last {
                "accept-platforms: \(platform.text)"
            } else {
                values.keys.first?.form == .flag
                    ? values.keys[0].name : values.text.replacing("=", with: ": ")
            }
        }
    }
}
