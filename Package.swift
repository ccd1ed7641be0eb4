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
        .target(name: "Readiness", dependencies: ["Verifications"], swiftSettings: house),
        .target(name: "Reports", dependencies: ["Readiness", "Verifications"], swiftSettings: house),
        .testTarget(
            name: "ReadinessTests", dependencies: ["Readiness", "Verifications"], exclude: ["Fixtures"],
            swiftSettings: house),
        .testTarget(
            name: "ReportsTests", dependencies: ["Readiness", "Reports", "Verifications"], exclude: ["Golden"],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
