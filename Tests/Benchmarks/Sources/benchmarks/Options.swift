import Foundation

/// The options on the command line of a run.
struct Options {
    /// Plain bytes of a corpus.
    var bytes: Int?
    /// How often everything is measured, after one round that is not.
    var rounds = 5
    /// Where corpora are kept.
    var folder = FileManager.default.temporaryDirectory.appending(path: "callcheck-benchmarks")
    /// The program that is measured.
    var program = URL(filePath: ".build/release/callcheck")

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure("\(name) needs a value, or is no option") }
            switch name {
            case "--bytes": bytes = try Options.number(value, for: name)
            case "--rounds": rounds = try Options.number(value, for: name)
            case "--folder": folder = URL(filePath: value)
            case "--callcheck": program = URL(filePath: value)
            default: throw Failure("there is no option \(name)")
            }
        }
    }

    /// A number from 1 on: digits, then K, M or G for powers of 1000.
    private static func number(_ text: String, for name: String) throws(Failure) -> Int {
        let units: [Character: Int] = ["K": 1_000, "M": 1_000_000, "G": 1_000_000_000]
        let unit = text.last.flatMap { units[$0] }
        guard let digits = Int(unit == nil ? text : String(text.dropLast())), digits > 0, digits < 1_000_000_000_000
        else {
            throw Failure("\(name) is a number such as 5, 200M or 1G, not \(text)")
        }
        return digits * (unit ?? 1)
    }
}
