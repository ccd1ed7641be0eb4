public import Verifications

/// The major version of firebase-functions that a function is built with.
public enum SDK: Sendable {
    /// 3.14 to 3.24: passes are INFO, a refused App Check token ends in 401, no trace is written.
    case version3
    /// 4.8 and later: passes are DEBUG, a refused App Check token is let through unless enforcement is on.
    case version4
}

/// Labels that generation 2 entries may carry: which ones they do depends on when a function was deployed last.
public struct LabelSet: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `goog-drz-cloudfunctions-id`, the lower-cased name with its underscores.
    public static let functionID = LabelSet(rawValue: 1)
    /// `firebase-functions-hash`.
    public static let functionsHash = LabelSet(rawValue: 2)
    /// `run.googleapis.com/base_image_versions`, on the lines of a function but not on its requests.
    public static let baseImage = LabelSet(rawValue: 4)
}

/// One callable function of a scenario: what it is and who calls it, day by day.
public struct FunctionProfile: Sendable {
    public var project: String
    public var region: String
    /// The name in the source code, with its case and underscores.
    public var name: String
    public var generation: Generation
    public var sdk: SDK
    public var labels: LabelSet
    /// The day on which `enforceAppCheck` went live: requests without a valid token get 401 from then on.
    public var enforcedSince: Day?
    /// What arrives on the first day of the scenario, the second, and so on.
    public var days: [[Requests]]

    public init(
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
    public var identity: FunctionIdentity {
        FunctionIdentity(
            project: project, region: region, name: generation == .second ? serviceName : name, generation: generation)
    }

    /// The value of `goog-drz-cloudfunctions-id`: the case is lost, underscores are not.
    public var label: String? {
        generation == .second && labels.contains(.functionID) ? name.lowercased() : nil
    }
}
