package import Rollout

extension HistoryStore {
    /// Keeps the days of a rollout, each once; of a day that was kept before, the fuller count stays.
    package func add(_ history: RolloutHistory) throws(HistoryFailure) {
        try write { try $0.add(history) }
        try settle(retentionDays: nil)
    }
}
