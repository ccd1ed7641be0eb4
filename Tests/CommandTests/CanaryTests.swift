import Foundation
import TestSupport
import Testing

/// No part of a record is ever shown except project, region and function: secrets are planted in all other fields, and
/// searched for in all output.
@Suite struct CanaryTests {
    private let directory: TemporaryDirectory
    private let shell: Shell

    init() throws {
        directory = try TemporaryDirectory()
        shell = Shell(in: directory.url)
    }

    /// What became of a log: as it was written, or damaged.
    private static let damages: [(name: String, options: String, apply: @Sendable ([UInt8]) -> [UInt8])] = [
        ("whole", "", { $0 }),
        ("strict", "--strict", { $0 }),
        ("cut in three quarters", "--strict", { Array($0.prefix($0.count * 3 / 4)) }),
        ("cut in half", "", { Array($0.prefix($0.count / 2)) }),
        ("without its beginning", "--strict", { Array($0.dropFirst(100)) }),
        ("oversized", "--set max-record-bytes=300", { $0 }),
        ("without quotation marks", "--strict", { bytes in replaced("\"", by: "x", every: 7, in: bytes) }),
        ("without closing braces", "--strict", { bytes in replaced("}", by: "{", every: 3, in: bytes) }),
        ("with line feeds inside", "--strict", { bytes in replaced(",", by: "\n", every: 2, in: bytes) }),
        ("in cut gzip", "", { bytes in Array(Gzip.member(bytes, level: 0).dropLast(60)) }),
        ("in corrupt gzip", "", { bytes in replaced("C", by: "\u{0}", every: 5, in: Gzip.member(bytes, level: 0)) }),
        ("doubled", "--strict", { bytes in Array(bytes.dropLast(30)) + bytes }),
    ]

    private static func replaced(
        _ old: Unicode.Scalar, by new: Unicode.Scalar, every step: Int, in bytes: [UInt8]
    ) -> [UInt8] {
        var seen = 0
        return bytes.map { byte in
            guard byte == UInt8(ascii: old) else { return byte }
            seen += 1
            return seen.isMultiple(of: step) ? UInt8(ascii: new) : byte
        }
    }

    private func expectSilence(_ outcome: Shell.Outcome, _ what: String) {
        let shown = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
        let found = Canary.spellings.filter { shown.contains($0) }
        #expect(found.isEmpty, "\(what): \(shown)")
        #expect(outcome.status == 0, "\(what)")
    }

    /// The files in the directory whose names start so, after making sure that none holds a secret.
    private func silentFiles(_ prefix: String) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
        return try names.filter { $0.hasPrefix(prefix) }.filter { name in
            let bytes = try Data(contentsOf: directory.url.appending(path: name))
            let found = Canary.spellings.filter { bytes.firstRange(of: Data($0.utf8)) != nil }
            #expect(found.isEmpty, "\(name)")
            return !bytes.isEmpty
        }
    }

    /// All shapes at once, in every output.
    @Test(arguments: Tier.some(of: Rendering.all, every: 3))
    func everyOutput(_ rendering: Rendering) throws {
        for (number, canary) in Canary.all.enumerated() {
            for (place, damage) in CanaryTests.damages.enumerated() {
                try directory.write(damage.apply(Array(canary.text.utf8)), to: "logs/\(number)-\(place).json")
            }
        }
        for (name, text) in Canary.unreadable { try directory.write(Array(text.utf8), to: "logs/\(name).json") }
        expectSilence(try shell.run(lines: rendering.line("logs")), "found in a directory")
        for options in ["", "--strict", "--set max-record-bytes=300"] {
            expectSilence(try shell.run(lines: rendering.line("\(options) logs/*")), options)
            if rendering.isStored { #expect(try silentFiles("history.db").contains("history.db"), "\(options)") }
            _ = try silentFiles("added.txt")
        }
    }

    /// What is left of a history, with what SQLite keeps beside it, when the program breaks down while it writes: at
    /// each moment at which it waits for the disk.
    @Test(.exhaustive, .enabled(if: ExternalTool.strace.isExpected, "strace is not installed"))
    func historyFiles() throws {
        for (number, canary) in Canary.all.enumerated() {
            for (place, damage) in CanaryTests.damages.enumerated() {
                try directory.write(damage.apply(Array(canary.text.utf8)), to: "logs/\(number)-\(place).json")
            }
        }
        let outcome = try shell.run(
            lines: """
                callcheck store add --quiet first.db logs/*-0.json
                step=0 status=70
                while test $status -eq 70; do
                    step=$((step + 1)) status=0
                    cp first.db left-$step.db
                    strace -f -qq -o /dev/null -e trace=fdatasync,fsync -e inject=fdatasync,fsync:signal=SEGV:when=$step \
                        callcheck store add --quiet left-$step.db logs/* || status=$?
                done
                test $status -eq 65
                """)
        expectSilence(outcome, "breaks down while it writes")
        #expect(try silentFiles("left-").contains { $0.hasSuffix("-journal") })
    }

    /// Each shape in each state, so that no problem hides behind another one.
    @Test(.exhaustive, arguments: Canary.all.indices)
    func everyDamage(_ index: Int) throws {
        let canary = Canary.all[index]
        for damage in CanaryTests.damages {
            try directory.write(damage.apply(Array(canary.text.utf8)), to: "log.json")
            for format in ["json", "table"] {
                let line = Rendering(command: "report", format: format).line("\(damage.options) log.json")
                expectSilence(try shell.run(lines: line), "\(canary.shape), \(damage.name)")
            }
        }
    }

    /// What is known as no log at all, from a file and from a pipe.
    @Test(.exhaustive, arguments: Canary.unreadable.indices)
    func unreadable(_ index: Int) throws {
        try directory.write(Array(Canary.unreadable[index].text.utf8), to: "input")
        for arguments in [
            "input", "--strict input", "- < input", "--policy input /dev/null", "--inventory input /dev/null",
        ] {
            for format in Rendering.formats {
                let line = Rendering(command: "report", format: format).line(arguments)
                expectSilence(try shell.run(lines: line), "\(Canary.unreadable[index].name): \(arguments)")
            }
        }
    }

    /// The program breaks down while it reads.
    @Test(.exhaustive, arguments: Canary.all.indices)
    func crash(_ index: Int) throws {
        try directory.write(Array(Canary.all[index].text.utf8), to: "log.json")
        let outcome = try shell.run(
            lines: """
                mkfifo pipe
                callcheck pipe &
                exec 3> pipe
                cat log.json >&3
                kill -s SEGV $!
                wait $! || test $? -eq 70
                """)
        expectSilence(outcome, Canary.all[index].shape)
        #expect(outcome.errors.count > 100)
    }

    /// The logs are what they are meant to be: each is read, and the secret is in it.
    @Test(arguments: Canary.all.indices)
    func logsAreRead(_ index: Int) throws {
        let canary = Canary.all[index]
        #expect(Canary.spellings.contains { canary.text.contains($0) })
        try directory.write(Array(canary.text.utf8), to: "log.json")
        let outcome = try shell.run(lines: "callcheck --format csv log.json | cut -d , -f 5 | tail -n 1")
        #expect(String(decoding: outcome.output, as: UTF8.self) == "\(canary.verifications)\n", "\(canary.shape)")
    }
}
