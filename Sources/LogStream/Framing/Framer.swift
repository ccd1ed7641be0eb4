/// Cuts a source's plain bytes into records and hands them to a handler.
protocol Framer: ~Copyable {
    /// Reads on; the bytes have slack after them.
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler)
    /// Goes on after lost bytes, at a place that may be anywhere in a record.
    mutating func resume(_ handler: inout some RecordHandler)
    /// Ends the source; when it is damaged, bytes are missing after the last ones.
    mutating func finish(isDamaged: Bool, _ handler: inout some RecordHandler)
}

/// Receives what a framer has cut out: lines, elements, and reports of what could not be cut out.
///
/// `offset` is always the place in the plain bytes of the source; bytes have slack after them.
protocol RecordHandler {
    /// One line without its line feed.
    mutating func handleLine(_ line: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int)
    /// One object, from brace to brace.
    mutating func handleElement(_ element: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int)
    /// A line or element that is longer than the limit; its bytes are gone.
    mutating func handleOversized(offset: Int)
    /// The beginning of a line whose end was lost to damage of the stream.
    mutating func handleTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int)
    /// An element that ends where JSON cannot end, that never ends, or that is nested too deep; or text, which is no
    /// object, where an element should be.
    mutating func handleDamaged(_ cause: Malformation, showsMarker: Bool, isObject: Bool, offset: Int)
    /// Lines of a console about verifications, among JSON.
    mutating func handleConsoleText(offset: Int)
    /// The source ended inside an array or a page.
    mutating func handleUnterminated(offset: Int)
}
