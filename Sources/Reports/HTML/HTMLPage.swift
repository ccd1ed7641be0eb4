import Readiness
import Verifications

/// A document as a page for a browser: what it says, and a card with all that is known for each function.
///
/// The page is one file that loads nothing. It is written part by part: a page of many thousands of functions never has
/// to fit in memory.
struct HTMLPage {
    private let document: Document
    private let summary: Summary
    private let card: (FunctionSummary) -> [Document.Section]
    private let renderer = HTMLRenderer()

    /// The most functions that have a card; the others are less important.
    static let cardLimit = 200
    /// More cards than that are not printed.
    private static let fewCards = 10
    /// The most rows that are shown until a filter finds others.
    private static let rowLimit = 500

    init(_ document: Document, of summary: Summary, card: ((FunctionSummary) -> [Document.Section])? = nil) {
        self.document = document
        self.summary = summary
        self.card = card ?? { Explanation($0, in: summary).card }
    }

    func write(to sink: inout some TextOutputStream) {
        var sections = document.sections[...]
        sink.write(opening(sections.popFirst()?.blocks ?? []))
        for section in sections {
            if let table = section.functionTable {
                write(table, to: &sink)
            } else {
                let body = section.blocks.filter { if case .legend = $0 { false } else { true } }
                guard !body.isEmpty else { continue }
                let isNotes = section.blocks.contains { if case .note = $0 { true } else { false } }
                let title = isNotes ? "What to know about this log" : section.title
                let id = (isNotes ? "notes" : section.anchor).map { " id=\"\($0)\"" } ?? ""
                let shown = Document.Section(title: title, blocks: body)
                sink.write("<section\(id)>\n\(renderer.html(shown, level: 2))</section>\n")
            }
        }
        sink.write(closing)
    }

    private func opening(_ blocks: [Document.Block]) -> String {
        var title = document.title
        var head = ""
        for block in blocks {
            guard case .answer(let answer) = block else {
                head += renderer.html([block])
                continue
            }
            title.insert(answer.conclusion, at: 0)
            let tone = summary.functions.contains(where: \.assessment.isLockout) ? "lockout" : answer.tone.rawValue
            head += """
                <div class="answer t-\(tone)">
                <h1><span class="mark" aria-hidden="true">\(answer.tone.mark(unicode: true))</span> \
                \(answer.conclusion.html)\(answer.reason.html)</h1>
                \(answer.lines.map { "<p>\($0.html)</p>\n" }.joined())</div>

                """
        }
        let projects = summary.names.projects
        if !projects.isEmpty { title.append("\(names: projects)") }
        let asOf = summary.asOf.map { "\(CalendarText.minute($0)) UTC" }
        if let asOf { title.append("\(asOf)") }
        let cautions = document.sections.lazy.flatMap(\.blocks).count {
            if case .note(let note) = $0 { note.isCaution } else { false }
        }
        if cautions > 0 {
            let count = Figures.counted(cautions, "caution")
            head += """
                <p class="cautions"><span class="mark" aria-hidden="true">!</span> <a href="#notes">\(count) about the \
                log</a></p>

                """
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="generator" content="callcheck">
            <meta http-equiv="Content-Security-Policy" content="\(ContentPolicy.text)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(title.map { HTMLText.escaped($0.text(ascii: false)) }.joined(separator: " · "))</title>
            <style>\(ContentPolicy.style)</style>
            </head>
            <body>
            \(summary.functions.isEmpty ? "" : "<a class=\"skip\" href=\"#functions\">Skip to the functions</a>\n")<header>
            <p class="product">\(document.title.map(\.html).joined(separator: " · "))</p>
            \(head)\(asOf.map { "<p class=\"context\"><span>As of \($0)</span></p>\n" } ?? "")</header>
            <main>

            """
    }

    private var closing: String {
        let legend = summary.functions.isEmpty ? "" : String(decoding: PackageResources.legend_html, as: UTF8.self)
        return """
            \(legend)</main>
            <footer><p class="fine">Requests are not people: one device that tries again and again makes many of them. \
            Written by callcheck; this page loads nothing and sends nothing.</p></footer>
            <script>\(ContentPolicy.script)</script>
            </body>
            </html>

            """
    }

    private func write(_ table: Table, to sink: inout some TextOutputStream) {
        var ids = PageIdentifiers(summary.names)
        let rows = table.groups.flatMap { group in
            zip(group.functions, group.rows.indices).map { (function: $0, group: group, index: $1) }
        }
        let count = summary.functions.count
        sink.write("<section id=\"functions\" aria-labelledby=\"functions-title\">\n")
        sink.write("<h2 id=\"functions-title\">Functions</h2>\n")
        if count == 1, let function = summary.functions.first {
            sink.write(html(function, id: ids.next(function.identity)) + "</section>\n")
            return
        }
        sink.write(controls)
        if let days = table.days {
            sink.write("<p class=\"fine\">\(Sparkline(days: days).legend(unicode: true).html)</p>\n")
        }
        let heads = table.columns.map { column in
            let key = PageRow.sortKeys[column.head].map { " data-sort=\"\($0)\"" } ?? ""
            let head = column.kind == .marks ? "trend" : column.head
            return "<th role=\"columnheader\" scope=\"col\"\(column.htmlClass)\(key)>\(HTMLText.escaped(head))</th>"
        }
        sink.write(
            """
            <table id="table" role="table">
            <caption class="hidden">Every function with its verdict</caption>
            <thead role="rowgroup"><tr role="row">\(heads.joined())</tr></thead>
            <tbody role="rowgroup">

            """)
        var cards: [(id: String, function: FunctionSummary)] = []
        for (place, row) in rows.enumerated() {
            let id = place < HTMLPage.cardLimit ? ids.next(row.function.identity) : nil
            if let id { cards.append((id, row.function)) }
            let isHidden = place >= HTMLPage.rowLimit
            sink.write(PageRow.html(row.function, id: id, row.group.rows[row.index], of: table, isHidden: isHidden))
        }
        sink.write("</tbody>\n</table>\n")
        sink.write("<div id=\"cards\"\(cards.count > HTMLPage.fewCards ? " class=\"many\"" : "")>\n")
        if count > cards.count {
            let shown: Wording = """
                Details follow for the first \(Figures.counted(cards.count, "function")). The filter finds the others; \
                \(code: "callcheck explain") shows all about any of them.
                """
            sink.write("<p class=\"fine\">\(shown.html)</p>\n")
        }
        for (id, function) in cards { sink.write(html(function, id: id)) }
        sink.write("</div>\n")
        if count > HTMLPage.fewCards {
            let choice = "To print details as well, choose at most \(HTMLPage.fewCards) functions on the page first."
            sink.write("<p class=\"fine paper\">\(choice)</p>\n")
        }
        sink.write("</section>\n")
    }

    private func html(_ function: FunctionSummary, id: String) -> String {
        var renderer = renderer
        renderer.id = id
        let (assessment, identity) = (function.assessment, function.identity)
        let places =
            [identity.project, identity.region].filter { $0 != FunctionIdentity.unknown }.map(HTMLText.name)
            + (identity.generation.map { ["generation \($0.rawValue)"] } ?? [])
            + [function.owner].compactMap(\.self).map(HTMLText.name)
        let sections = card(function)
        let words = sections.filter { !$0.hasChart }.map { renderer.html($0, level: 4) }
        let chart = sections.filter(\.hasChart).map { renderer.html($0.blocks) }
        let badge = Table.Cell.verdict(assessment).html()
        return """
            <article id="\(id)" class="card t-\(assessment.pageTone)" aria-labelledby="\(id)-name">
            <header>
            <h3 id="\(id)-name">\(HTMLText.name(function.name))</h3>
            \(badge)
            <p class="place">\(places.map { "<span>\($0)</span>" }.joined())</p>
            </header>
            <div class="columns">
            <div class="words">
            \(words.joined())</div>
            <div class="evidence">
            \(chart.joined())</div>
            </div>
            </article>

            """
    }

    private var controls: String {
        func choice(_ label: String, _ value: (FunctionIdentity) -> String) -> String {
            let values = Set(summary.functions.map { ExactName(DisplayText(name: value($0.identity)).text) }).sorted()
            guard values.count > 1 else { return "" }
            let options = values.map { "<option>\(HTMLText.escaped($0.text))</option>" }.joined()
            return """
                <label>\(label) <select id="by-\(label.lowercased())"><option value="">all</option>\(options)\
                </select></label>

                """
        }
        var counts: [String: (assessment: Assessment, count: Int)] = [:]
        for function in summary.functions {
            counts[function.assessment.word, default: (function.assessment, 0)].count += 1
        }
        let words = [Assessment.lockoutWord] + Verdict.allCases.map(\.word) + [Assessment.almostReady]
        let chips = words.compactMap { word in
            counts[word].map { assessment, count in
                """
                <button type="button" class="chip t-\(assessment.pageTone)" aria-pressed="false" data-verdict="\(word)">\
                <span class="mark" aria-hidden="true">\(assessment.mark(unicode: true))</span> \
                <b>\(Figures.grouped(count))</b> \(word)</button>

                """
            }
        }
        return """
            <div id="controls" role="search" aria-label="Functions" hidden>
            <div id="chips">\(chips.joined())</div>
            <label>Name <input id="by-text" type="search" autocomplete="off" spellcheck="false"></label>
            \(choice("Project", \.project))\(choice("Region", \.region))<button id="clear" type="button">Clear</button>
            <p id="shown" role="status">\(Figures.counted(summary.functions.count, "function"))</p>
            </div>

            """
    }
}

extension Document.Section {
    fileprivate var functionTable: Table? {
        for case .table(let table) in blocks where table.columns.contains(where: { $0.kind == .name }) { return table }
        return nil
    }

    fileprivate var hasChart: Bool {
        blocks.contains { if case .chart = $0 { true } else { false } }
    }
}

/// The rights of the page in a browser: to apply its one style sheet and run its one script, known by their hashes.
///
/// Nothing is loaded and nothing is sent, not even if a name in a log found a way to become markup.
enum ContentPolicy {
    static let style = String(decoding: PackageResources.page_css, as: UTF8.self)
    static let script = String(decoding: PackageResources.page_js, as: UTF8.self)

    /// SHA-256 of ``style`` and ``script``, in base 64; a test compares them with what other programs compute.
    static let styleHash = "Kqq4Cfa7KqyuQoSMgFj6IDAD/CTr3uuSeqQ/Mdl2FJA="
    static let scriptHash = "DdtzOC23kKXDsPCIubqoHX6YChyG5MoAj+GMKpfLAvc="

    /// The `content` of the page's `Content-Security-Policy` (<https://www.w3.org/TR/CSP3/>).
    static let text = """
        default-src 'none'; style-src 'sha256-\(styleHash)'; script-src 'sha256-\(scriptHash)'; base-uri 'none'; \
        form-action 'none'
        """
}
