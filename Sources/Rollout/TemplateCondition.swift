/// A condition of a template, as far as a rollout needs it: who of an iOS app's users it is about.
package struct TemplateCondition: Hashable, Sendable {
    package let name: String
    package let percents: [PercentAtom]
    /// True when nothing but the percentile decides among the users of an iOS app.
    package let isOfAllUsers: Bool
    package let isOfOtherSystems: Bool

    /// All tests of an expression, with `&&` between them, must hold.
    package init(name: String, expression: String) {
        self.name = name
        let text = Array(expression.utf8)
        let parts = TemplateCondition.parts(of: text)
        percents = parts.compactMap { PercentAtom(text, $0) }
        let others = parts.filter { PercentAtom(text, $0) == nil }
            .map { part in text[part].filter { $0 != 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") } }
            .map { String(decoding: $0, as: UTF8.self) }
        isOfAllUsers = others.allSatisfy { TemplateCondition.system(namedBy: $0) == "ios" || $0 == "true" }
        isOfOtherSystems = others.contains { TemplateCondition.system(namedBy: $0).map { $0 != "ios" } ?? false }
    }

    /// The system that a test asks for, spaces and quotation marks left out; nil when it asks for something else.
    ///
    /// `device.os==ios`, and `app.id==1:1234567890:ios:0a1b2c3d`, where the third part is the system.
    private static func system(namedBy test: String) -> Substring? {
        if test.hasPrefix("device.os==") { return test.dropFirst("device.os==".count) }
        let parts = test.split(separator: ":", omittingEmptySubsequences: false)
        return test.hasPrefix("app.id==") && parts.count == 4 ? parts[2] : nil
    }

    /// The tests between `&&`, which in quotation marks is text.
    private static func parts(of text: [UInt8]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        var mark: UInt8?
        for index in text.indices {
            let byte = text[index]
            if let open = mark {
                if byte == open { mark = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                mark = byte
            } else if byte == UInt8(ascii: "&"), index > start, text[index - 1] == byte {
                parts.append(start..<index - 1)
                start = index + 1
            }
        }
        return parts + [start..<text.count]
    }
}

/// A condition's test of a random percentile, and where its number stands.
///
/// ```
/// percent <= 10        percent > 75        percent('rollout_seed') between 0 and 25
/// ```
///
/// Source: <https://firebase.google.com/docs/remote-config/condition-reference>. A range has its lower end outside and
/// its upper end inside; numbers count to a millionth.
package struct PercentAtom: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
        /// `<=` and `<`.
        case upTo(Double)
        /// `>` and `>=`.
        case above(Double)
        case between(Double, Double)
    }

    /// Decides whose percentile is which; nil for the project's own.
    package let seed: String?
    package let test: Test
    /// The bytes of the number that grows or shrinks when more users are let in, in the condition.
    package let place: Range<Int>

    /// The share of users that pass, in per cent.
    package var percent: Double {
        switch test {
        case .upTo(let limit): limit
        case .above(let limit): 100 - limit
        case .between(let from, let to): max(0, to - from)
        }
    }

    /// The number to write so that a larger share passes and nobody who passed is left out; nil when a range has no
    /// room for it.
    package func number(for percent: Double) -> Double? {
        switch test {
        case .upTo: percent
        case .above: 100 - percent
        case .between(let from, _): from + percent <= 100 ? from + percent : nil
        }
    }

    init?(_ text: [UInt8], _ range: Range<Int>) {
        let part = String(decoding: text[range], as: UTF8.self)
        let form = #/
             \ * percent \ * (?: \( \ * (?: '([^']*)' | "([^"]*)" ) \ * \) )? \ *
             (?: ([<>])=? \ * ([0-9.]+) | between \ * ([0-9.]+) \ * and \ * ([0-9.]+) ) \ *
        /#.matchingSemantics(.unicodeScalar)
        guard let (_, single, double, sign, limit, from, to) = part.wholeMatch(of: form)?.output,
            let last = limit ?? to, let number = PercentAtom.number(last)
        else { return nil }
        seed = (single ?? double).map(String.init)
        if let sign {
            test = sign == "<" ? .upTo(number) : .above(number)
        } else {
            guard let first = from.flatMap(PercentAtom.number) else { return nil }
            test = .between(first, number)
        }
        let start = range.lowerBound + part.utf8.distance(from: part.startIndex, to: last.startIndex)
        place = start..<start + last.utf8.count
    }

    private static func number(_ digits: Substring) -> Double? {
        Double(digits).flatMap { (0...100).contains($0) ? $0 : nil }
    }
}
