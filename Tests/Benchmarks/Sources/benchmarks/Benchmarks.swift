import Foundation

/// What can be measured.
///
/// ```
/// swift run -c release --package-path Tests/Benchmarks benchmarks table
/// ```
@main
enum Benchmarks {
    static let usage = """
        usage: benchmarks table   [--bytes 1G] [--rounds 5] [--folder DIR] [--callcheck PROGRAM]
               benchmarks growth  [--rounds 5] [--folder DIR] [--callcheck PROGRAM]

        table   the program against pigz, gzip, DuckDB and jq, on corpora of so many plain bytes
        growth  the program on logs with twice, four and eight times as many records, functions, days and so on

        Corpora are made once and kept in DIR, a folder of the system's temporary one if none is given.

        """

    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        let command = arguments.popFirst() ?? ""
        do {
            if command == "compare", arguments.count == 2 {
                let files = try arguments.map { try Data(contentsOf: URL(filePath: $0)) }
                try Agreement.check(peer: files[0], ours: files[1])
                return
            }
            let options = try Options(Array(arguments))
            switch command {
            case "table": try TargetTable(options).run()
            case "corpora": try Corpora(options).make()
            case "growth": try GrowthTable(options).run()
            default: throw Failure("there is no command \(command)")
            }
        } catch let failure as Failure {
            FileHandle.standardError.write(Data("benchmarks: \(failure.description)\n\n\(usage)".utf8))
            exit(1)
        }
    }
}

/// Why nothing could be measured, in one sentence.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
