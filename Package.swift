// swift-tools-version: 6.2
import PackageDescription

/// A warning is an error in CI alone, where `.ci/run` sets the variable: the next compiler may have new ones.
let warningLevel: WarningLevel = Context.environment["CALLCHECK_WARNINGS_AS_ERRORS"] == nil ? .warning : .error

// Every target of ours is held to the same rules: the word `unsafe` marks each memory-unsafe step.
let house: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: warningLevel),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What reads and counts every byte is optimised in tests, too: they read hundreds of megabytes.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]
let optimisedC: [CSetting] = [.unsafeFlags(["-O2"], .when(configuration: .debug))]

let package = Package(
    name: "callcheck",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "callcheck", targets: ["callcheck"]),
        .executable(name: "synthetic-logs", targets: ["synthetic-logs"]),
        // What Tests/Fuzzing and Tests/Benchmarks, packages of their own, are made of.
        .library(
            name: "Checked",
            targets: ["Entries", "LogStream", "Platform", "PolicyFile", "Readiness", "Verifications"]),
        .library(name: "BenchmarkSupport", targets: ["SyntheticLogs"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The system.
        .target(name: "Platform", swiftSettings: house),
        .systemLibrary(name: "CZlib"),
        // Bytes.
        .target(name: "CByteMask", cSettings: optimisedC),
        .target(name: "CChecksum", cSettings: optimisedC),
        .target(
            name: "LogStream", dependencies: ["CByteMask", "CChecksum", "CZlib", "Platform", "Verifications"],
            swiftSettings: house + optimised),
        // Meaning.
        .target(name: "Verifications", swiftSettings: house + optimised),
        .target(name: "Readiness", dependencies: ["Platform", "Verifications"], swiftSettings: house + optimised),
        .target(
            name: "Rollout", dependencies: ["Readiness", "Verifications"], swiftSettings: house + optimised),
        // One set of everything that was read, and the pass that reads it.
        .target(
            name: "Entries", dependencies: ["LogStream", "Platform", "Readiness", "Verifications"],
            swiftSettings: house + optimised),
        // Pages.
        .target(
            name: "Reports",
            dependencies: ["Platform", "Readiness", "Rollout", "Verifications"],
            // Compiled in, so that the program stays one file.
            resources: [
                .embedInCode("Export/Resources"), .embedInCode("HTML/Resources"), .embedInCode("JSON/Resources"),
            ], swiftSettings: house),
        // What is kept from night to night.
        .target(
            name: "History",
            dependencies: [
                "Entries", "Platform", "Readiness", "Verifications", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: house),
        // Files that people or other commands write.
        .target(
            name: "PolicyFile",
            dependencies: ["Readiness", "Verifications", .product(name: "Yams", package: "Yams")],
            swiftSettings: house),
        .executableTarget(
            name: "callcheck",
            dependencies: [
                "Entries", "History", "LogStream", "Platform", "PolicyFile", "Readiness", "Reports",
                "Rollout", "Verifications", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Compiled in, so that the program stays one file.
            resources: [.embedInCode("Resources")], swiftSettings: house),
        // Logs with known truth: for tests, benchmarks and samples.
        .target(
            name: "SyntheticLogs", dependencies: ["Verifications"], path: "Tests/SyntheticLogs",
            swiftSettings: house + optimised),
        .executableTarget(
            name: "synthetic-logs",
            dependencies: [
                "Platform", "SyntheticLogs", "Verifications",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/SyntheticLogsCommand", swiftSettings: house),
        // Tests.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport", dependencies: ["CTestSupport", "CZlib", "Platform", "Readiness", "Verifications"],
            path: "Tests/TestSupport", swiftSettings: house),
        .testTarget(
            name: "CallcheckTests", dependencies: ["callcheck", "Readiness", "Verifications"], exclude: ["Lists"],
            swiftSettings: house),
        .testTarget(
            name: "CommandTests", dependencies: ["TestSupport"], exclude: ["Cases", "Inputs", "Readers", "Tools"],
            swiftSettings: house),
        .testTarget(
            name: "HouseRulesTests", dependencies: ["TestSupport"], swiftSettings: house),
        .testTarget(
            name: "LogStreamTests",
            dependencies: ["CByteMask", "CChecksum", "LogStream", "Platform", "TestSupport", "Verifications"],
            exclude: ["Fixtures"], swiftSettings: house),
        .testTarget(
            name: "AnalysisTests",
            dependencies: [
                "Entries", "LogStream", "Readiness", "SyntheticLogs", "TestSupport", "Verifications",
            ],
            exclude: ["Fixtures"], swiftSettings: house),
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "Entries", "History", "Platform", "Readiness", "TestSupport", "Verifications",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["endurance.py"], swiftSettings: house),
        .testTarget(
            name: "PolicyFileTests",
            dependencies: [
                "PolicyFile", "Readiness", "TestSupport", "Verifications", .product(name: "Yams", package: "Yams"),
            ], swiftSettings: house),
        .testTarget(
            name: "ReadinessTests", dependencies: ["Platform", "Readiness", "TestSupport", "Verifications"],
            exclude: ["Fixtures"], swiftSettings: house),
        .testTarget(
            name: "RolloutTests",
            dependencies: [
                "callcheck", "LogStream", "Readiness", "Rollout", "SyntheticLogs", "TestSupport", "Verifications",
            ],
            swiftSettings: house),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Readiness", "Reports", "Rollout", "TestSupport", "Verifications",
            ],
            exclude: ["Golden", "Pages"], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
