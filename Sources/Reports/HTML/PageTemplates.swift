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
