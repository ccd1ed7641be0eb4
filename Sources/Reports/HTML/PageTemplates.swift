internal import Mustache

/// The page's templates, cut where rows and cards are written one by one.
///
/// They are compiled in, with the style sheet and the script: the program is one file, and so is the page.
struct PageTemplates {
    /// From the start of the page to the rows of its table; from there to its cards; the rest.
    let opening, middle, closing: MustacheTemplate
    let row, card: MustacheTemplate
    private let library: MustacheLibrary

    static let shared = PageTemplates()

    /// Where the page's template is cut.
    private static let rowsMark = "{{! rows }}\n"
    private static let cardsMark = "{{! cards }}\n"

    private init() {
        MustacheContentTypes.register(HTMLContentType(), named: PageTemplates.contentType)
        let page = PageTemplates.text(PackageResources.page_mustache)
        let (opening, rest) = PageTemplates.cut(page, at: PageTemplates.rowsMark)
        let (middle, closing) = PageTemplates.cut(rest, at: PageTemplates.cardsMark)
        self.opening = PageTemplates.template(opening)
        self.middle = PageTemplates.template(middle)
        self.closing = PageTemplates.template(closing)
        row = PageTemplates.template(PageTemplates.text(PackageResources.row_mustache))
        card = PageTemplates.template(PageTemplates.text(PackageResources.card_mustache))
        library = MustacheLibrary(templates: [
            "wording": PageTemplates.template(PageTemplates.text(PackageResources.wording_mustache))
        ])
    }

    func render(_ template: MustacheTemplate, _ fields: Fields) -> String {
        template.render(fields, library: library)
    }

    /// The name under which the engine knows ``HTMLContentType``.
    private static let contentType = "PAGE"

    /// A template that escapes our way.
    ///
    /// The engine forgets the content type in partials, so every template begins with it.
    private static func template(_ text: String) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: "{{% CONTENT_TYPE:\(contentType)}}" + text)
        } catch {
            preconditionFailure("a template that is compiled in cannot be parsed: \(error)")
        }
    }

    private static func cut(_ text: String, at mark: String) -> (String, String) {
        guard let place = text.firstRange(of: mark) else { preconditionFailure("the page lacks \(mark)") }
        return (String(text[..<place.lowerBound]), String(text[place.upperBound...]))
    }

    static func text(_ resource: [UInt8]) -> String {
        String(decoding: resource, as: UTF8.self)
    }
}

/// Makes any text inert in HTML, as the content of an element and as a quoted attribute.
///
/// The template engine's own escaping compares characters, and to Swift a quotation mark under an accent is another
/// character than a quotation mark. This one looks at scalars. What ``DisplayText`` would spell out is spelled out here
/// too, so that no variable of a template can be forgotten; combining marks are written as references, so that none
/// sits on markup.
///
/// ```swift
/// HTMLContentType().escapeText("<b>\u{301}")  // "&lt;b&gt;&#x301;"
/// ```
struct HTMLContentType: MustacheContentType {
    func escapeText(_ text: String) -> String {
        guard !text.utf8.allSatisfy(HTMLContentType.isPlain) else { return text }
        var escaped = ""
        for scalar in DisplayText(text).text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case _ where scalar.isCombining: escaped += "&#x\(String(scalar.value, radix: 16));"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Printable ASCII but for the five characters that mean something.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20...0x7e).contains(byte)
        }
    }
}

/// What a browser may do with the page: apply its one style sheet and run its one script, known by their hashes.
///
/// Nothing is loaded and nothing is sent, not even if a name in a log found a way to become markup.
enum ContentPolicy {
    static let style = PageTemplates.text(PackageResources.page_css)
    static let script = PageTemplates.text(PackageResources.page_js)

    /// SHA-256 of ``style`` and ``script``, in base 64; a test compares them with what other programs compute.
    static let styleHash = "Cs5UXrSsAXAl6gu4R+kkCByFbjlTsDsbt4+y7L67pZM="
    static let scriptHash = "gzSSgldO2mAfrECxwthTLq0aX9Vjlrg2eRAPkR9vW8E="

    /// The `content` of the page's `Content-Security-Policy` (<https://www.w3.org/TR/CSP3/>).
    static let text = """
        default-src 'none'; style-src 'sha256-\(styleHash)'; script-src 'sha256-\(scriptHash)'; base-uri 'none'; \
        form-action 'none'
        """
}
