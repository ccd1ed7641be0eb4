public import ArgumentParser
public import SyntheticLogs

extension Transport: ExpressibleByArgument {
    /// Printed by `--help`.
    public static var allValueDescriptions: [String: String] {
        Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.meaning) })
    }
}
