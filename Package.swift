// swift-tools-version: 6.2
import PackageDescription

// Every target of ours is held to the same rules: the word `unsafe` marks each memory-unsafe step, and no warning lives.
let house: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "callcheck",
    products: [],
    targets: [
        .target(name: "Verifications", swiftSettings: house),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CByteMask"),
        .target(name: "LogStream", dependencies: ["CZlib", "CByteMask", "Verifications"], swiftSettings: house),
        .target(name: "Readiness", dependencies: ["Verifications"], swiftSettings: house),
        .target(
            name: "Analysis", dependencies: ["LogStream", "Readiness", "Verifications"], swiftSettings: house),
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport", dependencies: ["CTestSupport", "CZlib"], path: "Tests/TestSupport",
            swiftSettings: house),
        .testTarget(
            name: "LogStreamTests", dependencies: ["LogStream", "CByteMask", "Verifications", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: house),
        .testTarget(
            name: "AnalysisTests",
            dependencies: ["Analysis", "LogStream", "Readiness", "Verifications", "TestSupport"], swiftSettings: house),
        .testTarget(name: "ReadinessTests", dependencies: ["Readiness", "Verifications"], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
