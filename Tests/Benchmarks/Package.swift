// swift-tools-version: 6.2
import PackageDescription

// Measures callcheck. It is a separate package, so that building callcheck never builds it.
let warningLevel: WarningLevel = Context.environment["CALLCHECK_WARNINGS_AS_ERRORS"] == nil ? .warning : .error
let house: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: warningLevel),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "callcheck", path: "../..")],
    targets: [
        .executableTarget(
            name: "benchmarks",
            dependencies: [.product(name: "BenchmarkSupport", package: "callcheck")], swiftSettings: house),
        .executableTarget(name: "inflate-only", linkerSettings: [.linkedLibrary("z")]),
    ],
    swiftLanguageModes: [.v6]
)
