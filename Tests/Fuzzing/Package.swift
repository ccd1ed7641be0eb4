// swift-tools-version: 6.2
import PackageDescription

// libFuzzer targets, in a separate package: building callcheck never builds them. `run.sh` runs them.
let warningLevel: WarningLevel = Context.environment["CALLCHECK_WARNINGS_AS_ERRORS"] == nil ? .warning : .error
let house: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: warningLevel),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let checked: Target.Dependency = .product(name: "Checked", package: "callcheck")

let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "callcheck", path: "../..")],
    targets: [
        .target(name: "FuzzSupport", dependencies: [checked], swiftSettings: house),
        .systemLibrary(name: "CLibFuzzer"),
        .executableTarget(
            name: "FuzzLog", dependencies: ["CLibFuzzer", "FuzzSupport", checked], swiftSettings: house),
        .executableTarget(name: "FuzzGzip", dependencies: ["FuzzSupport", checked], swiftSettings: house),
        .executableTarget(name: "FuzzRecord", dependencies: ["FuzzSupport", checked], swiftSettings: house),
        .executableTarget(name: "FuzzRows", dependencies: ["FuzzSupport", checked], swiftSettings: house),
        .executableTarget(name: "FuzzPolicy", dependencies: ["FuzzSupport", checked], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
