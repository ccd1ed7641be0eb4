import Analysis
import History
import LogStream
import Platform
import Readiness
import Reports
import Verifications

enum StoreFile {
    /// Opens a store, which must have the run's key where that matters; one that is made gets it.
    static func use<Value>(
        _ path: String, for access: Store.Access, key: HashKey? = nil, _ step: (Store) throws(StoreFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(StoreFailure) {
            let store = try Store(path: path, access: access, newKey: key ?? .usual) { $0.hash($1) }
            if key == nil || store.key == key { return try step(store) }
        } catch {
            throw failure(error, path)
        }
        let name = DisplayText(name: path).text
        let message = "\(name) was made with another fingerprint-key. Give the same key to every run."
        throw Failure(status: .badData, message: message)
    }

    /// Keeps what a report answered for the next one; says so where the store cannot be written to.
    static func keep(_ answers: Store.Answers, in path: String) {
        do throws(Failure) {
            try use(path, for: .upkeep) { store throws(StoreFailure) in try store.keep(answers) }
        } catch {
            Messages.print(["\(error.message) The next report will not know what this one said."])
        }
    }

    /// What files of SQLite begin with (<https://www.sqlite.org/fileformat2.html#magic_header_string>).
    private static let magic = Array("SQLite format 3".utf8)

    static func isStore(_ path: String) -> Bool { beginning(of: path) == magic }

    /// True for a file that is neither empty nor SQLite's.
    static func holdsOtherData(_ path: String) -> Bool { ![[], magic].contains(beginning(of: path)) }

    private static func beginning(of path: String) -> [UInt8] {
        let descriptor = FileSystem.descriptor(of: SystemPath(path).characters, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return FileSystem.bytes(from: descriptor, atMost: magic.count) ?? []
    }

    /// The store and the files that SQLite keeps next to it, whether or not they exist.
    static func files(of path: String) -> [FileIdentity] {
        let path = ReplacedFile.followed(path) ?? path
        return ["", "-wal", "-shm", "-journal"].compactMap { FileIdentity(path + $0) }
    }

    static func failure(_ failure: StoreFailure, _ path: String) -> Failure {
        let hint = failure.isMissingStore ? MistypedName.hint(near: path) : ""
        return Failure(
            status: failure.isMissingStore ? .noInput : .inputOutput,
            message: "\(DisplayText(name: path).text): \(failure.message)\(hint)")
    }
}

extension LogAnalysis {
    /// Reads all inputs, with a store as if its entries were in them.
    ///
    /// - Throws: Also if it is unknown how often a request counts.
    func run(
        with store: String?, progress: ReadProgress = ReadProgress(), begin: @Sendable (LogInput) -> Void = { _ in }
    ) throws(Failure) -> Result {
        let read =
            if let store {
                try answer(with: store, progress: progress, begin: begin)
            } else {
                run(progress: progress, begin: begin)
            }
        guard read.mixedProjects.isEmpty else {
            throw Failure(status: .badData, message: Messages.countsBesideEntries(of: read.mixedProjects))
        }
        return read
    }

    private func answer(
        with store: String, progress: ReadProgress, begin: @Sendable (LogInput) -> Void
    ) throws(Failure) -> Result {
        guard removesDuplicates else { throw Failure(status: .usage, message: Messages.copiesInStore) }
        return try StoreFile.use(store, for: .reading, key: scan.fingerprintKey) { opened throws(StoreFailure) in
            var found: StoredAnswer?
            var analysis = self
            analysis.known = try opened.heads()
            var result = try analysis.run(progress: progress, begin: begin) {
                set, sealed, resolution throws(StoreFailure) in
                let answer = try opened.answer(set, sealed: sealed, resolution)
                found = answer
                return answer.resolved
            }
            let isAsked = found?.hasEvidence ?? false || !inputs.isEmpty && result.hasEvidence
            if isAsked { result.evidence?.hasAddresses = false } else { result.evidence = nil }
            if let end = found?.sealedBefore, [range.since, range.until].contains(where: { $0?.day ?? end < end }) {
                result.widenedDays = range.widenedDays
            }
            return result
        }
    }
}
