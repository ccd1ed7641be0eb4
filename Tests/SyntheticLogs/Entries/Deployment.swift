package import Verifications

/// What all entries of one deployed function share.
package struct Deployment: Sendable {
    package let identity: FunctionIdentity
    package let generation: Generation
    package let sdk: SDK
    package let enforcedSince: Day?
    package let refusesSignedOut: Bool
    /// The value of `goog-drz-cloudfunctions-id`, where the entries carry it.
    package let label: String?
    /// `resource.type`.
    package let resourceType: String
    /// `resource.labels`; of two, the second are those of the revision that enforces.
    package let resourceLabels: [[(key: String, value: String)]]
    /// Labels of every entry.
    package let labels: [(key: String, value: String)]
    /// Labels of standard output and standard error only.
    package let streamLabels: [(key: String, value: String)]
    /// Key and values of the label that names the running instance.
    package let instanceKey: String
    package let instances: [String]
    /// The address that clients call; the only place where generation 2 keeps the name's case.
    package let requestURL: String

    init(_ profile: FunctionProfile, seed: UInt64, instancePool: [String]) {
        let identity = profile.identity
        var random = SeededRandom(
            seed: seed, name: "\(identity.project)/\(identity.region)/\(identity.name)/\(profile.generation)")
        self.identity = identity
        generation = profile.generation
        sdk = profile.sdk
        enforcedSince = profile.enforcedSince
        refusesSignedOut = profile.refusesSignedOut
        label = profile.label
        requestURL = "https://\(profile.region)-\(profile.project).cloudfunctions.net/\(profile.name)"

        let start = random.below(instancePool.count)
        instances = (0..<Deployment.instancesPerFunction).map { instancePool[(start + $0) % instancePool.count] }
        let functionsHash = [16, 16, 8].map { hexadecimal(random.next(), digits: $0) }.joined()
        let image = random.pick(Deployment.baseImages)
        let revision = hexadecimal(UInt64(random.below(4096)), digits: 3)
        let revisionNumber = 1 + random.below(60)

        switch profile.generation {
        case .first:
            resourceType = "cloud_function"
            resourceLabels = [
                [("function_name", identity.name), ("region", identity.region), ("project_id", identity.project)]
            ]
            labels = []
            streamLabels = []
            instanceKey = "instance_id"
        case .second:
            resourceType = "cloud_run_revision"
            resourceLabels = (0..<(profile.enforcedSince == nil ? 1 : 2)).map { later in
                [
                    ("service_name", identity.name), ("location", identity.region), ("project_id", identity.project),
                    ("revision_name", "\(identity.name)-\(zeroPadded(revisionNumber + later, 5))-\(revision)"),
                    ("configuration_name", identity.name),
                ]
            }
            let hash = profile.labels.contains(.functionsHash) ? [("firebase-functions-hash", functionsHash)] : []
            let id = profile.label.map { [("goog-drz-cloudfunctions-id", $0)] } ?? []
            labels = [("goog-managed-by", "cloudfunctions")] + hash + id
            streamLabels =
                profile.labels.contains(.baseImage) ? [("run.googleapis.com/base_image_versions", image)] : []
            instanceKey = "instanceId"
        }
    }

    /// Names of running instances: one pool of 40 for a scenario, of which each function runs a few at a time.
    static func instancePool(seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed, name: "instances")
        return (0..<40).map { _ in
            "00" + (0..<4).map { _ in hexadecimal(random.next(), digits: 16) }.joined()
        }
    }

    /// The instance that answers a request: a new one each day, beside which the one before takes an eighth.
    func instance(at nanoseconds: Int64, using random: inout SeededRandom) -> Int {
        (Int(nanoseconds / 86_400_000_000_000) + (random.below(8) == 0 ? 0 : 1)) % instances.count
    }

    private static let instancesPerFunction = 8

    private static let baseImages = [
        "us-docker.pkg.dev/serverless-runtimes/google-22-full/runtimes/nodejs22:nodejs22_20260803_22_18_0_RC00",
        "us-docker.pkg.dev/serverless-runtimes/google-22-full/runtimes/nodejs20:nodejs20_20260727_20_19_4_RC00",
    ]
}
