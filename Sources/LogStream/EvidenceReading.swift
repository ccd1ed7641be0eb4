internal import Verifications

extension RecordReader {
    mutating func addEvidence(_ reader: borrowing EntryReader, of text: RawText) {
        let logName = reader.string(reader.fields.logName) ?? .empty
        let isRow = reader.isRow(logName)
        let meaning = isRow ? nil : reader.meaningOfLine
        guard isRow || meaning != nil, let instant = reader.instant(),
            case let identity = reader.identity(reader.project(logName)), identity.isName
        else {
            if let (identity, auth) = reader.bareBlocked, let function = index(of: identity) {
                sink.addBare(function: function, auth, at: reader.instant())
            }
            return
        }
        let service = functionNames.hash(of: identity)
        let insertId = reader.string(reader.fields.insertId) ?? .empty
        let isSecond = identity.tag == Generation.second.rawValue
        let request = isSecond ? reader.request(options, service: service, isRow: isRow) : .none
        let fingerprint =
            insertId.isEmpty
            ? text.hash(options.fingerprintKey) : self.fingerprint(insertId, logName, service, instant)
        guard let meaning else {
            return addRow(reader, identity, instant, request, fingerprint, service: service)
        }
        let execution = reader.execution()?.hash(options.fingerprintKey, function: service)
        sink.add(
            SDKLine(
                service: service, instant: instant, meaning: meaning,
                link: execution.map { .execution($0) } ?? (request == .none ? .function : .request(request)),
                fingerprint: fingerprint, isOfRecord: insertId.isEmpty))
    }

    private mutating func addRow(
        _ reader: borrowing EntryReader, _ identity: NameKey, _ instant: Instant, _ request: PackedRequestID,
        _ fingerprint: UInt64, service: UInt64
    ) {
        let (fields, labels) = (reader.fields.request, reader.fields.labels)
        keepName(in: reader.string(fields.url) ?? .empty, of: service, identity)
        let name = reader.string(reader.fields.resource.labels.revisionName)
        // Without a closure, which would look up the type of this reader for each row.
        let revision = if let name { revision(name, of: identity.name) } else { Revision.none }
        sink.add(
            RequestRow(
                service: service, instant: instant, answer: RequestRow.ResponseClass(digits: fields.status.text),
                request: request, fingerprint: fingerprint,
                client: client(
                    reader.string(fields.userAgent) ?? .empty, Referer(reader.string(fields.referer) ?? .empty)),
                address: addressHash(reader.string(fields.address)),
                sign: labels.isManaged ? .function : labels.arePresent ? .otherService : .unknown,
                revision: revision))
    }

    private func fingerprint(
        _ insertId: RawText, _ logName: RawText, _ service: UInt64, _ instant: Instant
    ) -> UInt64 {
        var hash = SipHash(key: options.fingerprintKey)
        hash.add(word: service)
        hash.add(word: UInt64(bitPattern: instant.seconds))
        hash.add(word: UInt64(instant.nanoseconds))
        hash.add(insertId)
        // The service names the project.
        hash.add(word: logName.ends)
        return hash.finish()
    }

    private func addressHash(_ text: RawText?) -> UInt16 {
        guard let address = text.flatMap(RemoteAddress.init) else { return 0 }
        var hash = SipHash(key: options.fingerprintKey)
        hash.add(word: address.version)
        hash.add(word: address.bits)
        return UInt16(1 + hash.finish() % UInt64(UInt16.max))
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

    private mutating func client(_ userAgent: RawText, _ referer: Referer) -> ClientCode {
        let (client, site) = (client(userAgent, isLocal: referer.isLocal), referer.site)
        let named = client.kind.hasSite && !site.isEmpty ? client.named(nameHash(of: site)) : client
        return referer.isThere ? named.withReferer : named
    }

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

    private mutating func nameHash(of client: UserAgent) -> UInt64 {
        guard let app = client.app else { return 0 }
        var hash = SipHash(key: .fixed)
        for text in [app.id, app.version, app.os] { hash.add(text) }
        return keep(ClientVersion(app: app.id.string, version: app.version.string, os: app.os.string), hash)
    }

    private mutating func nameHash(of site: RawText) -> UInt64 {
        var (hash, name) = (SipHash(key: .fixed), site.string.lowercased())
        name.withUTF8 { unsafe hash.add(bytesOf: RawText($0)) }
        return keep(ClientVersion(app: name), hash)
    }

    /// Keeps an app's version, or a site, under its unkeyed hash.
    private mutating func keep(_ version: @autoclosure () -> ClientVersion, _ hash: SipHash) -> UInt64 {
        let value = max(1, hash.finish() & ClientVersions.hashMask)
        if !clientVersions.knows(value) { clientVersions.add(version(), hash: value) }
        return value
    }
}

extension EntryReader {
    /// How callable functions are called; a row that does not spell it anywhere is of no interest.
    static let wantedMethod: StaticString = "POST"

    fileprivate func isRow(_ logName: RawText) -> Bool {
        guard let method = string(fields.request.method) else { return false }
        return method == EntryReader.wantedMethod && logName.hasSuffix("run.googleapis.com%2Frequests")
    }

    /// Nothing but its execution shows whose answer a line of generation 1's platform is.
    fileprivate var meaningOfLine: SDKLine.Meaning? {
        for value in [fields.text, fields.payload.message, fields.line.message] where value.kind == .string {
            // Cloud Logging escapes nothing in it but quotes and line feeds.
            let text = value.text.cut(0..<min(value.text.count, SDKLineText.longest))
            guard let meaning = SDKLineText.meaning(of: text) else { continue }
            switch meaning {
            case .answered, .preflight: return execution() == nil ? nil : meaning
            // The SDK warns on standard error; what is on standard output may be a client's text.
            case .allowing: return string(fields.logName)?.hasSuffix("%2Fstdout") ?? false ? nil : meaning
            case .cause: return meaning
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
    fileprivate var lastPathPiece: RawText {
        var end = 0
        while end < count, self[end] != UInt8(ascii: "?"), self[end] != UInt8(ascii: "#") { end += 1 }
        if end > 0, self[end - 1] == UInt8(ascii: "/") { end -= 1 }
        var start = end
        while start > 0, self[start - 1] != UInt8(ascii: "/") { start -= 1 }
        return cut(start..<end)
    }
}
