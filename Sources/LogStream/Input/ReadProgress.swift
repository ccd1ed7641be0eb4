internal import Synchronization

/// How far a run has come, for whoever shows it: counted by the readers, read by anybody.
public final class ReadProgress: Sendable {
    private let read = Atomic<Int>(0)

    public init() {}

    /// Bytes read from all sources so far, as stored.
    public var bytesRead: Int {
        read.load(ordering: .relaxed)
    }

    func add(_ count: Int) {
        read.add(count, ordering: .relaxed)
    }
}
