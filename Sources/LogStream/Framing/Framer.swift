/// Cuts a source's plain bytes into records and hands them to a handler.
protocol Framer: ~Copyable {
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler)
    /// Goes on after lost bytes, at a place that may be anywhere in a record.
    mutating func resume(_ handler: inout some RecordHandler)
    /// Ends the source; when it is damaged, bytes are missing after the last ones.
    mutating func finish(isDamaged: Bool, _ handler: inout some RecordHandler)
}

extension Framer where Self: ~Copyable {
    consuming func readAll(
        _ bytes: UnsafeBufferPointer<UInt8>, isDamaged: Bool = false, _ handler: inout some RecordHandler
    ) {
        unsafe consume(bytes, &handler)
        finish(isDamaged: isDamaged, &handler)
    }
}

/// Receives what a framer has cut out: lines, elements, and reports of what could not be cut out.
///
/// `offset` and `range` are always places in the plain bytes of the source; bytes have slack after them.
protocol RecordHandler {
    mutating func handleLine(_ line: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int)
    /// One object, from brace to brace.
    mutating func handleElement(_ element: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int)
    /// A line or element that is longer than the limit; its bytes are gone.
    mutating func handleOversized(_ range: Range<Int>)
    /// The beginning of a line whose end was lost to damage of the stream.
    mutating func handleTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int)
    /// An element that ends where JSON cannot end, that never ends, or that is nested too deep; or text, which is no
    /// object, where an element should be. `isCutOff` is true when the source has ended inside of it.
    mutating func handleDamaged(
        _ cause: Malformation, markers: MarkerCount, isObject: Bool, isCutOff: Bool, _ range: Range<Int>)
    /// Text among JSON that is not a record, with the markers that it shows, if any.
    mutating func handleText(markers: MarkerCount, _ range: Range<Int>)
    /// A part of a record of which damage of the stream has taken the rest.
    mutating func handleLost(_ range: Range<Int>)
    /// A page ends, with or without elements; it may name the one that comes next.
    mutating func handlePageEnd(namesNext: Bool)
    mutating func handleArrayStart()
    mutating func handleArrayEnd(elements: Int)
    /// The source ended inside an array or a page.
    mutating func handleUnterminated(offset: Int)
}

extension RecordHandler {
    mutating func handleLost(_ range: Range<Int>) {}
    mutating func handlePageEnd(namesNext: Bool) {}
    mutating func handleArrayStart() {}
    mutating func handleArrayEnd(elements: Int) {}
}
