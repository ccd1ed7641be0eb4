/// Writes metrics in the text format of Prometheus, version 0.0.4, as node_exporter's textfile collector reads it.
///
/// A family is written as a whole: the format allows its help and its type once, before its samples.
struct PrometheusWriter {
    /// Label names, which are ours, and values, which need not be.
    typealias Labels = [(name: String, value: String)]

    private var text = ""

    /// Hands over what was written since the last call.
    mutating func drain(into sink: inout some TextOutputStream) {
        sink.write(text)
        text.removeAll(keepingCapacity: true)
    }

    /// Begins a family of gauges: numbers that rise and fall.
    mutating func gauge(_ name: String, help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
    }

    mutating func sample(_ name: String, _ labels: Labels, _ value: Int) {
        sample(name, labels, String(value))
    }

    /// Nothing is written for an unknown value: in Prometheus that is an absent sample.
    mutating func sample(_ name: String, _ labels: Labels, _ value: Double?) {
        guard let value, value.isFinite else { return }
        sample(name, labels, value.description)
    }

    private mutating func sample(_ name: String, _ labels: Labels, _ value: String) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(PrometheusWriter.escaped($0.value))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    /// A label value with backslash, quote and line feed escaped, scalar by scalar; other controls are spelled out, as
    /// the format has no escape for them.
    static func escaped(_ value: String) -> String {
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            case _ where scalar.isInert: escaped.unicodeScalars.append(scalar)
            default: escaped += scalar.visibleSpelling
            }
        }
        return escaped
    }
}
