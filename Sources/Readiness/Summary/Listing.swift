/// Why a function stands in a summary.
public enum Listing: Hashable, Sendable {
    /// The input has verifications of it.
    case seen
    /// It is deployed, and the input has no verification of it.
    ///
    /// Before an app is launched that is as it should be, and enforcement can be switched on at once; of one that is
    /// used nothing can be said.
    case deployed(InventoryEntry.Trigger)
    /// Nothing: a pattern that was asked for matches no function; the name that was probably meant.
    case unmatched(suggestion: String?)
}
