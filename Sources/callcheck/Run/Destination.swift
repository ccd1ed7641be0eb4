import Glibc
import Readiness
import Reports
import Verifications

/// Where a result goes.
enum Destination {
    case standardOutput
    case file(String)

    /// - Parameter output: As typed for `--output`; nil and `-` stand for standard output.
    init(output: String?) {
        self = output.flatMap { $0 == "-" ? nil : .file($0) } ?? .standardOutput
    }

    /// Fails when the result could not be written in the end: better known now than after an hour of reading.
    func prepare() throws(Failure) {
        guard case .file(let path) = self, let error = ReplacedFile(path).obstacle else { return }
        throw Failure(status: .inputOutput, message: Destination.complaint(path, error, "; nothing was read"))
    }

    /// Writes a report there.
    func write(_ report: any Report, as format: Format) -> ExitStatus {
        write { report.write(as: format, to: &$0) }
    }

    /// Writes text there.
    func write(_ text: String) -> ExitStatus {
        write { $0.write(text) }
    }

    /// Writes what a command tells about itself, in the one format or the other.
    func write(
        table: (inout DescriptorStream) -> Void, json: (inout DescriptorStream) -> Void, _ format: ListFormat
    ) -> ExitStatus {
        write { format == .json ? json(&$0) : table(&$0) }
    }

    /// To standard output as it comes, into a file complete or not at all.
    private func write(_ body: (inout DescriptorStream) -> Void) -> ExitStatus {
        switch self {
        case .standardOutput:
            return StandardOutput.write(body)
        case .file(let path):
            guard let error = ReplacedFile(path).write(body) else { return .success }
            StandardError.write("callcheck: \(Destination.complaint(path, error))")
            return .inputOutput
        }
    }

    private static func complaint(_ path: String, _ error: Int32, _ consequence: String = "") -> String {
        "\(DisplayText(name: path).text): cannot be written: \(systemMessage(error))\(consequence)"
            + Messages.advice(onWriting: error)
    }
}
