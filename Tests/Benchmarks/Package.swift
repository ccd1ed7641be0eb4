// swift-tools-version: 6.2
import PackageDescription

// Measures callcheck; a package of its own, so that whoever builds callcheck never builds this.
let house: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
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
            dependencies: [
                .product(name: "BenchmarkSupport", package: "callcheck"),
                .product(name: "Stages", package: "callcheck"),
            ],
            swiftSettings: house)
    ],
    swiftLanguageModes: [.v6]
)
