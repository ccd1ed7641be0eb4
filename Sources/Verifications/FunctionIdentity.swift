/// The identity of a callable function: its project, region, name and generation.
///
/// Generation 1 is named by `function_name` and `region`. Generation 2 is grouped by `service_name` and `location`,
/// which have lost case and underscores; the name people know is kept next to the identity, not in it.
/// Parts that a log lacks are ``unknown``, with no generation. Names are equal as ``ExactName`` has it.
public struct FunctionIdentity: Hashable, Codable, Sendable {
    public static let unknown = "-"

    public let project: String
    public let region: String
    /// `function_name` (generation 1) or `service_name` (generation 2).
    public let name: String
    public let generation: Generation?

    public init(project: String, region: String, name: String, generation: Generation?) {
        (self.project, self.region, self.name, self.generation) = (project, region, name, generation)
    }

    package init(service: String, project: String) {
        self.init(project: project, region: FunctionIdentity.regionOfServices, name: service, generation: nil)
    }

    private static let regionOfServices = "service"

    package static func isRegionOfServices(_ region: String) -> Bool { region == regionOfServices }
    package var isService: Bool { generation == nil && region == FunctionIdentity.regionOfServices }

    /// A name as Cloud Run spells it: lower case, dashes for underscores.
    ///
    /// Two names that are equal after this, as ``ExactName`` has it, are names of one function.
    public static func normalized(_ name: String) -> String {
        String(String.UnicodeScalarView(name.lowercased().unicodeScalars.map { $0 == "_" ? "-" : $0 }))
    }

    public static func == (left: FunctionIdentity, right: FunctionIdentity) -> Bool {
        left.generation == right.generation && ExactName(left.name) == ExactName(right.name)
            && ExactName(left.region) == ExactName(right.region)
            && ExactName(left.project) == ExactName(right.project)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactName(project))
        hasher.combine(ExactName(region))
        hasher.combine(ExactName(name))
        hasher.combine(generation)
    }
}

/// The Cloud Functions product that runs a function.
public enum Generation: UInt8, Comparable, Codable, Sendable {
    /// Cloud Functions (1st gen): `resource.type` is `cloud_function`.
    case first = 1
    /// Cloud Run functions (2nd gen): `resource.type` is `cloud_run_revision`.
    case second = 2

    public static func < (left: Generation, right: Generation) -> Bool { left.rawValue < right.rawValue }
}

/// A name as it was spelled: equal to another, and before it, by its UTF-8 bytes.
///
/// `String` takes `é` for the same whether it is one scalar or two. A project, a file system and a store do not: by
/// `String` two functions would run together, under whichever spelling was read first.
///
/// ```swift
/// ExactName("caf\u{E9}") == ExactName("cafe\u{301}")  // false
/// ```
package struct ExactName: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        let (left, right) = (left.text.utf8.span, right.text.utf8.span)
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    package static func < (left: ExactName, right: ExactName) -> Bool {
        let (left, right) = (left.text.utf8.span, right.text.utf8.span)
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }

    package func hash(into hasher: inout Hasher) {
        // The hash of `String` is one for all spellings, and a log can hold as many of them as it likes.
        let bytes = text.utf8.span
        var word: UInt64 = 0
        for index in bytes.indices {
            word = word << 8 | UInt64(bytes[index])
            if index % 8 == 7 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(bytes.count)
    }
}

extension ExactName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension ExactName: Codable {
    package init(from decoder: any Decoder) throws { self.init(try String(from: decoder)) }
    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension ExactName: CustomStringConvertible {
    package var description: String { text }
}
