internal import Verifications

/// What accompanies verifications: rows of the request log, and the SDK's lines about refused tokens.
extension RecordReader {
    mutating func addEvidence(_ reader: borrowing EntryReader, of text: RawText) {
        guard let evidence = reader.evidence() else {
            if let identity = reader.bareBlocked, let function = index(of: identity) {
                sink.addBare(function: function, at: reader.instant())
            }
            return
        }
        let key = options.fingerprintKey
        let service = functions.hash(of: evidence.identity)
        let isOfRecord = evidence.insertId.isEmpty
        let fingerprint = isOfRecord ? text.hash(key) : evidence.fingerprint(key, service: service)
        let isSecond = evidence.identity.tag == Generation.second.rawValue
        var isRow = false
        if case .row = evidence.content { isRow = true }
        let request = isSecond ? reader.request(options, service: service, isRow: isRow) : .none
        switch evidence.content {
        case .row(let row):
            keepName(in: row.url, of: service, evidence.identity)
            sink.add(
                RequestRow(
                    service: service, instant: evidence.instant, answer: row.answer,
                    request: request, fingerprint: fingerprint,
                    client: client(row), address: row.addressHash(key), sign: row.sign,
                    revision: row.revisionName.isEmpty ? .none : revision(row.revisionName, of: evidence.identity.name))
            )
        case .line(let meaning):
            sink.add(
                SDKLine(
                    service: service, instant: evidence.instant, meaning: meaning,
                    link: evidence.link(key, service: service, request), fingerprint: fingerprint,
                    isOfRecord: isOfRecord))
        }
    }

    /// Keeps the name of a function as its URL has it, with the capitals that generation 2 loses everywhere else.
    ///
    /// Cloud Functions routes by the exact name, so that no caller chooses it; a path on another host is the caller's.
    private mutating func keepName(in url: RawText, of service: UInt64, _ identity: NameKey) {
        let (place, ends) = (Int(service & 63), url.ends)
        guard urlNames[place].service != service || urlNames[place].ends != ends,
            let hostEnd = url.place(of: ".cloudfunctions.net/"),
            (min(8, hostEnd)..<hostEnd).allSatisfy({ Revision.isLetter(url[$0]) || url[$0] == UInt8(ascii: "-") })
        else { return }
        let name = url.lastPathPiece.string
        guard FunctionIdentity.normalized(name) == identity.name.string else { return }
        urlNames[place] = (service, ends)
        sink.keep(urlName: name, of: service)
    }

    /// What user agent and referer tell.
    private mutating func client(_ row: EvidenceRecord.Row) -> ClientCode {
        let client = client(row.userAgent, isLocal: row.isLocal)
        return client.kind.hasSite && !row.site.isEmpty ? client.named(nameHash(of: row.site)) : client
    }

    /// What a user agent tells; most were met before.
    private mutating func client(_ userAgent: RawText, isLocal: Bool) -> ClientCode {
        var index = NameTable.none
        if userAgent.isName {
            if userAgents.isOverfull {
                (userAgents, clients) = (NameTable(key: options.fingerprintKey, limit: userAgentLimit), [nil])
            }
            index = userAgents.index(of: NameKey(project: userAgent, tag: isLocal ? 1 : 0))
            if index < clients.count, let known = clients[Int(index)] { return known }
        }
        let parsed = UserAgent(userAgent, isLocal: isLocal)
        let client = parsed.code.named(nameHash(of: parsed))
        if index != NameTable.none { clients.append(client) }
        return client
    }

    /// Unkeyed hash of an app's version, under which it is kept.
    private mutating func nameHash(of client: UserAgent) -> UInt64 {
        guard let app = client.app else { return 0 }
        var hash = SipHash(key: .fixed)
        for text in [app.id, app.version, app.os] { hash.add(text) }
        let value = max(1, hash.finish() & ClientVersions.hashMask)
        if !clientVersions.knows(value) {
            let version = ClientVersion(app: app.id.string, version: app.version.string, os: app.os.string)
            clientVersions.add(version, hash: value)
        }
        return value
    }

    /// Unkeyed hash of a site, under which it is kept.
    private mutating func nameHash(of site: RawText) -> UInt64 {
        var (hash, name) = (SipHash(key: .fixed), site.string.lowercased())
        name.withUTF8 { unsafe hash.add(bytesOf: RawText($0)) }
        let value = max(1, hash.finish() & ClientVersions.hashMask)
        if !clientVersions.knows(value) {
            clientVersions.add(ClientVersion(app: name), hash: value)
        }
        return value
    }
}

/// The contents of a record that accompanies verifications, as places in it.
struct EvidenceRecord {
    enum Content {
        case row(Row)
        case line(SDKLine.Meaning)
    }

    /// What a row says beyond where and when.
    struct Row {
        let answer: RequestRow.ResponseClass
        let url: RawText
        let userAgent: RawText
        /// True for a request of a page that is served on the developer's own machine.
        let isLocal: Bool
        /// The host of the page; empty where that is no website.
        let site: RawText
        let address: RawText
        let sign: RequestRow.ServiceSign
        let revisionName: RawText

        func addressHash(_ key: HashKey) -> UInt64 {
            guard !address.isEmpty else { return 0 }
            var hash = SipHash(key: key)
            hash.add(word: 3)
            hash.add(address)
            return max(1, hash.finish())
        }
    }

    let identity: NameKey
    let instant: Instant
    let logName: RawText
    /// Empty when the entry has none.
    let insertId: RawText
    let execution: Execution?
    let content: Content

    func fingerprint(_ key: HashKey, service: UInt64) -> UInt64 {
        var hash = SipHash(key: key)
        hash.add(word: service)
        hash.add(word: UInt64(bitPattern: instant.seconds))
        hash.add(word: UInt64(instant.nanoseconds))
        hash.add(insertId)
        // The service names the project.
        hash.add(word: logName.ends)
        return hash.finish()
    }

    /// What a line has in common with its verification.
    func link(_ key: HashKey, service: UInt64, _ request: PackedRequestID) -> SDKLine.Link {
        if let execution { return .execution(execution.hash(key, function: service)) }
        return request == .none ? .function : .request(request)
    }
}

extension EntryReader {
    /// What the record says of a request next to its verification; nil for nothing, or without a time.
    ///
    /// Call this once, for a record that is not a verification.
    func evidence() -> EvidenceRecord? {
        let logName = string(fields.logName) ?? .empty
        guard let content = row(logName).map(EvidenceRecord.Content.row) ?? line else { return nil }
        let identity = identity(project(logName))
        guard let instant = instant(), identity.project.isName, identity.region.isName, identity.name.isName
        else { return nil }
        var execution: Execution?
        if case .line = content { execution = self.execution() }
        return EvidenceRecord(
            identity: identity, instant: instant, logName: logName, insertId: string(fields.insertId) ?? .empty,
            execution: execution, content: content)
    }

    /// How callable functions are called; a row that does not spell it anywhere is of no interest.
    static let wantedMethod: StaticString = "POST"

    private func row(_ logName: RawText) -> EvidenceRecord.Row? {
        guard let method = string(fields.request.method), method == EntryReader.wantedMethod,
            logName.hasSuffix("run.googleapis.com%2Frequests")
        else { return nil }
        let referer = Referer(string(fields.request.referer) ?? .empty)
        return EvidenceRecord.Row(
            answer: RequestRow.ResponseClass(digits: fields.request.status.text),
            url: string(fields.request.url) ?? .empty,
            userAgent: string(fields.request.userAgent) ?? .empty,
            isLocal: referer.isLocal, site: referer.site, address: string(fields.request.address) ?? .empty,
            sign: fields.labels.isManaged ? .function : fields.labels.arePresent ? .otherService : .unknown,
            revisionName: string(fields.resource.labels.revisionName) ?? .empty)
    }

    /// Nothing but its execution shows whose answer a line of generation 1's platform is.
    private var line: EvidenceRecord.Content? {
        for value in [fields.text, fields.payload.message, fields.line.message] where value.kind == .string {
            // Cloud Logging escapes nothing in it but quotes and line feeds.
            let text = value.text.cut(0..<min(value.text.count, SDKLineText.longest))
            guard let meaning = SDKLineText.meaning(of: text) else { continue }
            switch meaning {
            case .refused, .served, .answeredOtherwise: return execution() == nil ? nil : .line(meaning)
            // The SDK warns on standard error; what is on standard output may be a client's text.
            case .allowing: return string(fields.logName)?.hasSuffix("%2Fstdout") ?? false ? nil : .line(meaning)
            case .cause: return .line(meaning)
            }
        }
        return nil
    }
}

extension RequestRow.ResponseClass {
    /// The answer with an HTTP status, a number or its digits; none for anything else.
    init(digits text: RawText) {
        self.init(status: text.count == 3 ? text.wholeNumber ?? 0 : 0)
    }
}

extension RawText {
    /// The last piece of a URL's path, without a slash or a query after it.
    fileprivate var lastPathPiece: RawText {
        var end = 0
        while end < count, self[end] != UInt8(ascii: "?"), self[end] != UInt8(ascii: "#") { end += 1 }
        if end > 0, self[end - 1] == UInt8(ascii: "/") { end -= 1 }
        var start = end
        while start > 0, self[start - 1] != UInt8(ascii: "/") { start -= 1 }
        return cut(start..<end)
    }
}
