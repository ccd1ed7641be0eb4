/// A condition of a template, as far as a rollout needs it: who of an iOS app's users it is about.
package struct TemplateCondition: Hashable, Sendable {
    package let name: String
    /// Its tests of a random percentile.
    package let percents: [PercentAtom]
    /// True when nothing but the percentile decides among the users of an iOS app.
    package let isOfAllUsers: Bool
    /// True when no iOS user can pass.
    package let isOfOtherSystems: Bool

    /// - Parameters:
    ///   - name: What parameters call it.
    ///   - expression: Tests, all of which must hold; `&&` between them.
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
