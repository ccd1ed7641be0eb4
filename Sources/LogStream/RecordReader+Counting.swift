internal import Verifications

/// What a record that was read counts as.
extension RecordReader {
    mutating func count(_ reader: EntryReader, of text: RawText, offset: Int) {
        let conclusion = reader.conclude()
        if case .notVerification = conclusion.finding, !reader.isEntry, StrayEntry.isIn(text) {
            return readStray(text, offset: offset)
        }
        summary.records += 1
        if let entry = conclusion.errorStream {
            sink.noteErrorStream(project: index(of: entry.project), at: entry.instant)
        }
        switch conclusion.finding {
        case .notVerification: break
        case .unusable: reportMalformed(.nameTooLong, offset: offset)
        case .verification where reader.isEmulated: summary.ignored += 1
        case .verification(let record): count(record, of: text)
        }
    }

    private mutating func count(_ record: VerificationRecord, of text: RawText) {
        let function = functions.index(of: record.identity) { retired in
            labels[Int(retired)] = nil
            if Int(retired) < projectOfFunction.count { projectOfFunction[Int(retired)] = nil }
            sink.retire(function: retired)
        }
        while labels.count < functions.count { labels.append(nil) }
        let project = projectIndex(of: record.identity.project, function: function)
        if let label = record.label, function != NameTable.pooled { keep(label, of: Int(function)) }
        let fingerprint = options.takesFingerprints ? record.fingerprint(options.fingerprintKey) : nil
        let isHashed = options.hashesRecords && fingerprint == nil
        sink.count(
            Verification(
                function: function, project: project, generation: Generation(rawValue: record.identity.tag),
                app: record.app, auth: record.auth, severity: record.severity, instant: record.instant,
                fingerprint: fingerprint, recordHash: isHashed ? text.hash(options.fingerprintKey) : nil))
    }

    private mutating func projectIndex(of name: RawText, function: Int32) -> Int32 {
        guard function != NameTable.pooled else { return index(of: name) }
        if Int(function) < projectOfFunction.count, let known = projectOfFunction[Int(function)] { return known }
        let project = index(of: name)
        while projectOfFunction.count < functions.count { projectOfFunction.append(nil) }
        if project != NameTable.pooled { projectOfFunction[Int(function)] = project }
        return project
    }

    private mutating func index(of project: RawText) -> Int32 {
        // Entries that name no project go where those of all projects beyond the limit go.
        guard project != RawText.unknown else { return NameTable.pooled }
        return projects.index(of: NameKey(project: project)) { retired in
            projectOfFunction.removeAll(keepingCapacity: true)
            sink.retire(project: retired)
        }
    }

    private mutating func keep(_ label: RawText, of function: Int) {
        if let known = labels[function] {
            guard !label.equals(known.text) else { return }
            labels[function] = min(known, ExactName(label.string))
        } else {
            labels[function] = ExactName(label.string)
        }
    }

    // MARK: Problems

    /// Counts a record of a kind that is not read here; the source's first one is reported.
    mutating func reportUnexpected(_ detail: String, offset: Int) {
        summary.records += 1
        summary.unexpected += 1
        if summary.unexpected == 1 { report(.unexpectedContainer, detail, offset: offset) }
    }

    mutating func reportMalformed(_ cause: Malformation, offset: Int) {
        summary.malformed += 1
        report(.malformedRecord, ProblemWording.malformed(cause, limit: options.maxRecordBytes), offset: offset)
    }

    /// Reports a problem of the record that was counted last.
    mutating func report(_ kind: Problem.Kind, _ detail: String, offset: Int) {
        summary.problems.append(
            Problem(source: source, kind: kind, byteOffset: offset, record: summary.records, detail: detail))
    }
}
