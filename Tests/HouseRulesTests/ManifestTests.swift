import Testing

/// The manifest is read right, and what breaks its rules is found.
@Suite struct ManifestTests {
    private let manifest = Manifest(
        """
        let house: [SwiftSetting] = [
            .strictMemorySafety(),  // .treatAllWarnings(as: warningLevel)
            .enableUpcomingFeature("ExistentialAny"),
        ]
        let package = Package(
            products: [.executable(name: "tool", targets: ["tool"])],
            dependencies: [.package(url: "https://example.com/yams", from: "6.0.0")],
            targets: [
                .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
                .target(name: "Reports", dependencies: ["LogStream", .target(name: "Readiness")], swiftSettings: house),
                .executableTarget(
                    name: "PolicyFile",
                    dependencies: [.product(name: "Yams", package: "yams")]),
                .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
                .testTarget(name: "ReportsTests", dependencies: ["Reports"], swiftSettings: house),
            ]
        )
        """)

    @Test func targetsAreRead() {
        #expect(manifest.targets.map(\.name) == ["CZlib", "Reports", "PolicyFile", "TestSupport", "ReportsTests"])
        #expect(
            manifest.targets.map(\.path) == [
                "Sources/CZlib", "Sources/Reports", "Sources/PolicyFile", "Tests/TestSupport", "Tests/ReportsTests",
            ])
        #expect(
            manifest.targets.map(\.dependencies) == [[], ["LogStream", "Readiness"], ["Yams"], [], ["Reports"]])
    }

    @Test func missingSettingsAreFound() {
        #expect(
            ManifestRules.missingSettings(in: manifest) == [
                "house lacks .treatAllWarnings(as: warningLevel)",
                #"house lacks .enableUpcomingFeature("InternalImportsByDefault")"#,
                #"house lacks .enableUpcomingFeature("MemberImportVisibility")"#,
            ])
        #expect(ManifestRules.targetsWithoutSettings(in: manifest) == ["PolicyFile lacks swiftSettings: house"])
    }

    @Test func forbiddenDependenciesAreFound() {
        #expect(ManifestRules.dependencies(in: manifest) == ["Reports may not depend on LogStream"])
    }
}
