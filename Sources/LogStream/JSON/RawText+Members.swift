extension RawText {
    /// Looks through the members of the object that the text begins with, as far as they are JSON.
    ///
    /// - Parameter body: Called with a key, and a scanner in front of the value; the search goes on after nil.
    /// - Returns: The first answer.
    func firstAnswer<Answer>(
        _ body: (RawText, inout JSONScanner) throws(JSONFailure) -> Answer?
    ) -> Answer? {
        var scanner = JSONScanner(JSONCursor(self))
        do throws(JSONFailure) {
            guard try scanner.openObject() else { return nil }
            var isFirst = true
            while let key = try scanner.nextKey(&isFirst) {
                var ahead = scanner
                if let answer = try body(key.text, &ahead) { return answer }
                try scanner.skipValue()
            }
        } catch {}
        return nil
    }

    /// True when the object has a member that fits.
    func hasMember(_ fits: (RawText, inout JSONScanner) -> Bool) -> Bool {
        firstAnswer { fits($0, &$1) ? true : nil } ?? false
    }
}
