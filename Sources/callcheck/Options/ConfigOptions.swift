import ArgumentParser

/// Which settings file is used.
struct ConfigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A settings file (default: the nearest callcheck.yml, here or above; see callcheck config).",
            valueName: "file"),
        completion: .file())
    var config: String?
}
