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
        .executable(name: "synthetic-logs", targets: ["synthetic-logs"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        .target(name: "Verifications", swiftSettings: house),
        .target(name: "Readiness", dependencies: ["Verifications"], swiftSettings: house),
        .target(name: "SyntheticLogs", dependencies: ["Verifications"], swiftSettings: house),
        .executableTarget(
            name: "synthetic-logs",
            dependencies: [
                "SyntheticLogs", "Verifications",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house),
        .testTarget(name: "ReadinessTests", dependencies: ["Readiness", "Verifications"], swiftSettings: house),
        .testTarget(
            name: "SyntheticLogsTests", dependencies: ["SyntheticLogs", "Readiness", "Verifications"],
            exclude: ["check_truth.py"], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
