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
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
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
        .target(
            name: "PolicyFile",
            dependencies: ["Readiness", "Verifications", .product(name: "Yams", package: "Yams")],
            swiftSettings: house),
        .target(name: "Inventory", dependencies: ["Readiness", "Verifications"], swiftSettings: house),
        .executableTarget(
            name: "callcheck",
            dependencies: [
                "Analysis", "Inventory", "LogStream", "PolicyFile", "Readiness", "Reports", "Verifications",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "InventoryTests", dependencies: ["Inventory", "Readiness", "Verifications"], exclude: ["Lists"],
            swiftSettings: house),
        .testTarget(
            name: "PolicyFileTests", dependencies: ["PolicyFile", "Readiness", "Verifications"], swiftSettings: house),
        .testTarget(name: "ReadinessTests", dependencies: ["Readiness", "Verifications"], swiftSettings: house),
        .testTarget(
            name: "ReportsTests", dependencies: ["Readiness", "Reports", "Verifications"], exclude: ["Golden"],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
