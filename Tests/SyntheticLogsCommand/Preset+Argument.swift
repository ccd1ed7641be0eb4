import ArgumentParser
package import SyntheticLogs

extension Preset: ExpressibleByArgument {}
