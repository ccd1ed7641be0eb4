import ArgumentParser
import PolicyFile
import Readiness
import Reports

/// Which functions a table lists, in which order, and what it says about them.
struct ViewOptions: ParsableArguments {
    @Flag(help: "One line: the answer alone.")
    var brief = false

    @Flag(help: "VALID, MISSING and INVALID of each function.")
    var counts = false

    @Option(
        name: .customLong("verdict"),
        help: .rare("List only functions with this verdict; repeatable, or with commas.", "verdict"))
    var verdicts: [VerdictList] = []

    @Option(help: .rare("Order of the functions (default: requests).", "by"))
    var sort: TableView.Order?

    @Option(help: .rare("List so many functions of each group, or all.", "n"))
    var top = RowLimit(count: TableView().top)

    /// What a table in the format shows; refused for a format that always has everything.
    func view(_ format: OutputFormat) throws -> TableView {
        var view = TableView()
        view.isBrief = brief
        view.showsCounts = counts
        view.verdicts = Set(verdicts.flatMap(\.verdicts))
        view.order = sort
        view.top = top.count
        guard view == TableView() || format == .table || format == .markdown else {
            throw ValidationError(
                """
                --brief, --counts, --verdict, --sort and --top shape tables; \(format.rawValue) always has everything. \
                Leave them out, or use -f table or -f markdown.
                """)
        }
        return view
    }
}

/// How many rows a group has at most: a number, or `all`.
struct RowLimit: ExpressibleByArgument {
    let count: Int?

    init(count: Int?) {
        self.count = count
    }

    init?(argument: String) {
        if argument == "all" {
            count = nil
        } else if let number = Int(argument), number > 0 {
            count = number
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { count.map { String($0) } ?? "all" }
}

/// Verdicts with commas between them.
struct VerdictList: ExpressibleByArgument {
    let verdicts: [Verdict]

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        verdicts = words.compactMap { Verdict(rawValue: String($0)) }
        guard verdicts.count == words.count else { return nil }
    }

    static var allValueStrings: [String] { Verdict.allCases.map(\.rawValue) }
}

extension TableView.Order: ExpressibleByArgument {}
