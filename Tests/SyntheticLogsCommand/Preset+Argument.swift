import ArgumentParser
package import SyntheticLogs

extension Preset: ExpressibleByArgument {}
extension AnalyticsPreset: ExpressibleByArgument {}
extension AnalyticsTransport: ExpressibleByArgument {}
