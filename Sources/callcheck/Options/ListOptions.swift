import ArgumentParser

/// How and where a command prints that tells of itself or of a store: what it lists is no page of functions.
struct ListOptions: ParsableArguments {
    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: "table or json (default: from --output's ending, else table).")
    var format: ListFormat?

    @OptionGroup var printing: PrintingOptions

    var destination: Destination {
        printing.destination
    }

    /// The format asked for, or the one that the output's ending tells.
    var resolvedFormat: ListFormat {
        format ?? (printing.formatOfEnding == .json ? .json : .table)
    }

    func validate() throws {
        if format == nil, let output = printing.outputWithoutFormat {
            throw ValidationError(Messages.noFormat(output, endings: ".txt or .json"))
        }
        guard format == nil, let ending = printing.formatOfEnding, ending != .table, ending != .json else { return }
        throw ValidationError(
            "This command prints a table or JSON, not \(ending.rawValue): name a file that ends in .txt or .json.")
    }
}

/// The formats of a list.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
}
