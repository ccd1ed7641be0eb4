/// An entry inside an object that is neither an entry itself nor one of the wrappers that are known.
///
/// ```
/// {"logs":[{"insertId":"68ac…","labels":{"firebase-log-type":"callable-request-verification"},…},…],"total":2}
/// ```
///
/// Programs that hand logs on wrap them as they please. What they wrap is not counted, because what stands inside a
/// payload may be anything; but it must not go unseen.
enum StrayEntry {
    /// True when the text of a record, which is JSON, holds such an entry.
    ///
    /// Quotes inside strings are escaped, so that a name in plain quotes is one.
    static func isIn(_ record: RawText) -> Bool {
        guard names.contains(where: { record.holds($0) }) else { return false }
        return labels.contains { label in
            var rest = record
            while let place = rest.place(of: label) {
                rest = rest.cut(place + label.utf8CodeUnitCount..<rest.count)
                let colon = rest.indexOfNonSpace(from: 0)
                guard colon < rest.count, rest[colon] == UInt8(ascii: ":") else { continue }
                if rest.cut(rest.indexOfNonSpace(from: colon + 1)..<rest.count).hasPrefix(value) { return true }
            }
            return false
        }
    }

    private static let names: [StaticString] = [
        #""insertId""#, #""logName""#, #""insert_id""#, #""log_name""#,
    ]
    private static let labels: [StaticString] = [#""firebase-log-type""#, #""firebase_log_type""#]
    private static let value: StaticString = #""callable-request-verification""#
}
