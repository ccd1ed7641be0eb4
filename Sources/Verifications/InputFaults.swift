/// What can go wrong with inputs, whatever else could be read.
public struct InputFaults: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// An input does not exist or cannot be opened.
    public static let unopened = InputFaults(rawValue: 1)
    /// Reading failed on the way.
    public static let readError = InputFaults(rawValue: 2)
    /// Compressed data is damaged.
    public static let damaged = InputFaults(rawValue: 4)
    /// A named input has no readable format.
    public static let unsupported = InputFaults(rawValue: 8)
}
