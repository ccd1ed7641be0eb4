public import ArgumentParser
public import Readiness

extension Gate.FailOn: ExpressibleByArgument {}
