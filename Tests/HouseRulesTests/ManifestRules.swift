/// What Package.swift must say.
enum ManifestRules {
    static let settings = [
        ".strictMemorySafety()", ".treatAllWarnings(as: warningLevel)", #".enableUpcomingFeature("ExistentialAny")"#,
        #".enableUpcomingFeature("InternalImportsByDefault")"#, #".enableUpcomingFeature("MemberImportVisibility")"#,
    ]

    /// Which settings of the house are not among `let house`.
    static func missingSettings(in manifest: Manifest) -> [String] {
        settings.filter { !manifest.houseSettings.contains($0) }.map { "house lacks \($0)" }
    }

    /// Which targets of Swift are built without them.
    static func targetsWithoutSettings(in manifest: Manifest) -> [String] {
        manifest.targets.filter { !ImportRules.ofC.contains($0.name) && !$0.hasHouseSettings }
            .map { "\($0.name) lacks swiftSettings: house" }
    }

    /// Which targets declare a dependency that they may not have.
    static func dependencies(in manifest: Manifest) -> [String] {
        manifest.targets.filter { $0.path.hasPrefix("Sources/") }.flatMap { target in
            target.dependencies.subtracting(ImportRules.allowed[target.name] ?? []).sorted()
                .map { "\(target.name) may not depend on \($0)" }
        }
    }
}
