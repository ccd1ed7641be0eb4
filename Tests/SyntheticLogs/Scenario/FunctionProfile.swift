package import Verifications

/// The major version of firebase-functions that a function is built with.
package enum SDK: Sendable {
    /// 3.14 to 3.24: passes are INFO, a refused App Check token ends in 401, no trace is written.
    case version3
    /// 4.8 and later: passes are DEBUG, a refused App Check token is let through unless enforcement is on.
    case version4
}

/// Labels that generation 2 entries may carry: which ones they do depends on when a function was deployed last.
package struct LabelSet: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `goog-drz-cloudfunctions-id`, the lower-cased name with its underscores.
    package static let functionID = LabelSet(rawValue: 1)
    /// `firebase-functions-hash`.
    package static let functionsHash = LabelSet(rawValue: 2)
    /// `run.googleapis.com/base_image_versions`, on the lines of a function but not on its requests.
    package static let baseImage = LabelSet(rawValue: 4)
}

/// One callable function of a scenario: what it is and who calls it, day by day.
package struct FunctionProfile: Sendable {
    package var project: String
    package var region: String
    /// The name in the source code, with its case and underscores.
    package var name: String
    package var generation: Generation
    package var sdk: SDK
    package var labels: LabelSet
    /// The day on which `enforceAppCheck` went live: requests without a valid token get 401 from then on.
    package var enforcedSince: Day?
    /// True where the function itself answers 403 to whoever is not signed in.
    package var refusesSignedOut = false
    /// What arrives on the first day of the scenario, the second, and so on.
    package var days: [[Requests]]

    package init(
        project: String = "demo-prod", region: String = "us-central1", name: String, generation: Generation = .second,
        sdk: SDK = .version4, labels: LabelSet = [.functionsHash], enforcedSince: Day? = nil, days: [[Requests]]
    ) {
        self.project = project
        self.region = region
        self.name = name
        self.generation = generation
        self.sdk = sdk
        self.labels = labels
        self.enforcedSince = enforcedSince
        self.days = days
    }

    /// Lower-cased, underscores as hyphens: what Cloud Run makes of the name.
    var serviceName: String {
        String(name.lowercased().map { $0 == "_" ? "-" : $0 })
    }

    /// What tells the function from others in a log.
    package var identity: FunctionIdentity {
        FunctionIdentity(
            project: project, region: region, name: generation == .second ? serviceName : name, generation: generation)
    }

    /// The value of `goog-drz-cloudfunctions-id`: the case is lost, underscores are not.
    package var label: String? {
        generation == .second && labels.contains(.functionID) ? name.lowercased() : nil
    }
}
