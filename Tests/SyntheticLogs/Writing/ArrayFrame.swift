/// The text around and between the elements of an array that is written one by one.
struct ArrayFrame {
    /// What the array ends in.
    enum Ending: String {
        case bracket = "]"
        case bracketAndLineFeed = "]\n"
        /// Nothing: whoever writes the array is stopped before.
        case none = ""
    }

    private let isIndented: Bool
    private let ending: Ending
    private var isEmpty = true

    /// - Parameters:
    ///   - isIndented: True to begin each element on a new line, indented by one level.
    ///   - ending: What the array ends in.
    init(isIndented: Bool, ending: Ending) {
        self.isIndented = isIndented
        self.ending = ending
    }

    func begin(_ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
    }

    /// Appends the text before the next element.
    mutating func beginElement(_ bytes: inout [UInt8]) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        if isIndented { JSONLayout.breakLine(depth: 1, &bytes) }
    }

    func end(_ bytes: inout [UInt8]) {
        if isIndented, !isEmpty, ending != .none { bytes.append(0x0A) }
        bytes.append(contentsOf: ending.rawValue.utf8)
    }
}
