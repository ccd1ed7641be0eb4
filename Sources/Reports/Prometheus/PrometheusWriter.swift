import Verifications

/// Writes metrics in the text format of Prometheus, version 0.0.4, as node_exporter's textfile collector reads it.
///
/// A family is written as a whole: the format allows its help and its type once, before its samples.
struct PrometheusWriter {
    /// Label names, which are ours, and values, which need not be.
    typealias Labels = [(name: String, value: String)]

    private var text = ""

    mutating func drain(into sink: inout some TextOutputStream) {
        sink.write(text)
        text.removeAll(keepingCapacity: true)
    }

    mutating func add(_ name: String, _ help: String, _ value: some LeafValue) {
        gauge(name, help)
        sample(name, [], value)
    }

    mutating func add(_ name: String, _ help: String, by label: String, _ counts: [(String, Int)]) {
        gauge(name, help)
        for (value, count) in counts { sample(name, [(label, value)], count) }
    }

    mutating func gauge(_ name: String, _ help: String) {
        text += "# HELP callcheck_\(name) \(help)\n# TYPE callcheck_\(name) gauge\n"
    }

    /// Nothing is written for an unknown value: in Prometheus that is an absent sample.
    mutating func sample(_ name: String, _ labels: Labels, _ value: some LeafValue) {
        guard let number = value.leaf.metric else { return }
        text += "callcheck_\(name)"
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(PrometheusWriter.escaped($0.value))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(number)\n"
    }

    /// A label value with backslash, quote and line feed escaped, scalar by scalar; other controls are spelled out, as
    /// the format has no escape for them.
    static func escaped(_ value: String) -> String {
        value.spelling { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: scalar.isInert ? nil : scalar.visibleSpelling
            }
        }
    }
}

extension Leaf {
    /// Times are seconds since 1970: of a day, its first one.
    fileprivate var metric: String? {
        switch self {
        case .number(let number): String(number)
        case .decimal(let decimal): decimal.description
        case .text(let text): text
        case .day(let day): Double(Int64(day.number) * Instant.secondsPerDay).description
        // With nanoseconds, the end of a day would round to the next one.
        case .instant(let instant):
            (Double(instant.seconds) + Double(instant.nanoseconds / 1_000_000) / 1e3).description
        case .flag, .list, .null: nil
        }
    }
}
