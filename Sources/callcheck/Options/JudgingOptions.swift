import ArgumentParser

/// What every command takes that judges functions: what to read, what of it counts, what it is held against, and how to
/// print the answer.
struct JudgingOptions: ParsableArguments {
    @OptionGroup(title: "Inputs") var inputs: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var output: OutputOptions
}
