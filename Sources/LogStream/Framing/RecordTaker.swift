/// Takes from a framer what it has cut out: lines, elements, and word of what could not be cut out.
///
/// `offset` is always the place in the plain bytes of the source; bytes have slack behind them.
protocol RecordTaker {
    /// One line without its line feed.
    mutating func takeLine(_ line: UnsafeBufferPointer<UInt8>, signs: LineSigns, offset: Int)
    /// One object, from brace to brace.
    mutating func takeElement(_ element: UnsafeBufferPointer<UInt8>, signs: LineSigns, offset: Int)
    /// A line or element that is longer than the limit; its bytes are gone.
    mutating func takeOversized(offset: Int)
    /// The beginning of a line whose end was lost to damage of the stream.
    mutating func takeTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int)
    /// An element that ends where JSON cannot end, that never ends, or that is nested too deep; or text, which is no
    /// object, where an element should be.
    mutating func takeDamaged(_ cause: Malformation, showsMarker: Bool, isObject: Bool, offset: Int)
    /// Lines of a console about verifications, among JSON.
    mutating func takeForeignText(offset: Int)
    /// The source ended inside an array or a page.
    mutating func noteUnterminated(offset: Int)
}
