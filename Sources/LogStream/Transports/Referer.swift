internal import Verifications

/// The page that a request came from, as far as its host tells: the header `Referer`, which callers can make up.
struct Referer {
    /// The host, with a port and with a name and a password, which no browser sends; empty where there is none.
    private let authority: RawText
    private let host: RawText
    let isThere: Bool

    init(_ text: RawText) {
        isThere = !text.isEmpty
        guard let scheme = text.place(of: "://") else {
            (authority, host) = (.empty, .empty)
            return
        }
        authority = text.cut(scheme + 3..<text.count).before("/?#")
        var start = authority.count
        while start > 0, authority[start - 1] != UInt8(ascii: "@") { start -= 1 }
        host = authority.cut(start..<authority.count).before(":")
    }

    /// True for a page of the developer's own: served on the own machine, or a preview channel.
    var isLocal: Bool {
        // A name and a password could pass for the host.
        guard !authority.contains(UInt8(ascii: "@")) else { return false }
        // An address of version 6 is in brackets, as it has colons itself.
        if authority.hasPrefix("[::1]") { return authority.count == 5 || authority[5] == UInt8(ascii: ":") }
        return host == "localhost" || host == "127.0.0.1" || host.hasSuffix(".local") && host.count > 6
            || isPreviewChannel
    }

    /// `SITE--CHANNEL-xxxxxxxx.web.app`, of Firebase Hosting.
    private var isPreviewChannel: Bool {
        let (domain, hyphen, random): (StaticString, _, _) = (".web.app", UInt8(ascii: "-"), 8)
        guard host.hasSuffix(domain) else { return false }
        let label = host.cut(0..<host.count - domain.utf8CodeUnitCount)
        guard let siteEnd = label.place(of: "--"), siteEnd > 0, label.count > siteEnd + 3 + random,
            label.allSatisfy({ $0.isLetterOrDigit || $0 == hyphen })
        else { return false }
        let channelEnd = label.count - random - 1
        return label[channelEnd] == hyphen && !label.cut(channelEnd + 1..<label.count).contains(hyphen)
    }

    /// The longest name that DNS knows.
    private static let longest = 253

    /// The host of a website, a name or an address of version 4; empty for what is neither.
    var site: RawText {
        let dot = UInt8(ascii: ".")
        let name = host.last == dot ? host.cut(0..<host.count - 1) : host
        let isName = name.count <= Referer.longest && name.first?.isLetterOrDigit == true
        return isName && name.allSatisfy { $0.isLetterOrDigit || $0 == dot || $0 == UInt8(ascii: "-") } ? name : .empty
    }
}

extension RawText {
    fileprivate func before(_ ends: StaticString) -> RawText {
        let ends = RawText(ends)
        return cut(0..<((0..<count).first { ends.contains(self[$0]) } ?? count))
    }
}
