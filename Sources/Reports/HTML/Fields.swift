internal import Mustache

/// What a template can name.
///
/// ```swift
/// ["name": .text("addMessage"), "isReady": .flag(true), "days": .list([["day": .text("1 Oct")]])]
/// ```
struct Fields: MustacheParent, ExpressibleByDictionaryLiteral {
    enum Value {
        /// Shown as it is, escaped; a section of it is left out when there is none.
        case text(String?)
        case flag(Bool)
        /// A section is written once for each.
        case list([Fields])
        /// The same of texts, each of which is `.` in the section.
        case texts([String])
        /// A section is left out when there are none.
        case fields(Fields?)
    }

    private var values: [String: Value]

    init(dictionaryLiteral elements: (String, Value)...) {
        values = Dictionary(elements) { _, last in last }
    }

    /// These fields and others; of one name the other's counts.
    func merging(_ others: Fields) -> Fields {
        var fields = self
        fields.values.merge(others.values) { _, theirs in theirs }
        return fields
    }

    subscript(_ name: String) -> Value? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// What the template engine sees.
    ///
    /// What is there without a value is false: nil would make the engine look for the name further out.
    func child(named name: String) -> Any? {
        switch values[name] {
        case nil: nil
        case .text(let text): text ?? false
        case .flag(let flag): flag
        case .list(let list): list
        case .texts(let texts): texts
        case .fields(let fields): fields ?? false
        }
    }
}

extension Wording {
    /// The sentences for the template `wording`.
    var fields: Fields {
        ["parts": .list(parts.map(\.fields))]
    }
}

extension Wording.Part {
    fileprivate var fields: Fields {
        switch self {
        case .words(let text): ["words": .text(text), "name": .text(nil), "code": .text(nil)]
        case .name(let text): ["words": .text(nil), "name": .text(DisplayText(name: text).text), "code": .text(nil)]
        case .code(let text): ["words": .text(nil), "name": .text(nil), "code": .text(text)]
        }
    }
}
