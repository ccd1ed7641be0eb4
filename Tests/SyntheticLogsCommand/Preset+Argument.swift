public import ArgumentParser
public import SyntheticLogs

extension Preset: ExpressibleByArgument {}
