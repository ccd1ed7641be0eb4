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
