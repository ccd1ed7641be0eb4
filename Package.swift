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
    products: [
        .executable(name: "callcheck", targets: ["callcheck"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        .target(name: "Verifications", swiftSettings: house),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CByteMask"),
        .target(name: "LogStream", dependencies: ["CZlib", "CByteMask", "Verifications"], swiftSettings: house),
        .target(name: "Readiness", dependencies: ["Verifications"], swiftSettings: house),
        .target(
            name: "Analysis", dependencies: ["LogStream", "Readiness", "Verifications"], swiftSettings: house),
        .target(name: "Reports", dependencies: ["Readiness", "Verifications"], swiftSettings: house),
        .executableTarget(
            name: "callcheck",
            dependencies: [
                "Analysis", "LogStream", "Readiness", "Reports", "Verifications",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house
        ),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
        .testTarget(
            name: "CommandTests", dependencies: ["TestSupport"], exclude: ["Cases", "Inputs", "Tools"],
            swiftSettings: house),
        .testTarget(name: "ReadinessTests", dependencies: ["Readiness", "Verifications"], swiftSettings: house),
        .testTarget(
            name: "ReportsTests", dependencies: ["Readiness", "Reports", "Verifications"], exclude: ["Golden"],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
