internal import Verifications

/// The two combinations of statuses that came last in a stream: nearly all verifications have one of them.
struct RecentStatuses {
    private var codes: (UInt64, UInt64) = (0, 0)

    static let remainderBits = 25
    static let upperKeyBits = 19

    mutating func write(_ record: SeenRecord, to out: inout SnapshotWriter) {
        var code = UInt64(record.app.rawValue) << 2 | UInt64(record.auth.rawValue)
        code = code << 2 | UInt64(record.severity.rawValue >> 1)
        code = code << 1 | (record.isOfExecution ? 1 : 0)
        if record.copies == 0, code == codes.0 { return out.writeBits(0, 1) }
        if record.copies == 0, code == codes.1 {
            out.writeBits(1, 2)
        } else {
            out.writeBits(3, 2)
            out.writeBits(code, 7)
            out.writeBits(record.copies == 0 ? 0 : 1, 1)
            if record.copies > 0 { out.writeBits(UInt64(record.copies), 32) }
        }
        codes = (code, codes.0)
    }

    mutating func read(into record: inout SeenRecord, from bytes: inout SnapshotReader) throws(SnapshotFault) {
        var code = codes.0
        if try bytes.readBits(1) == 1 {
            code = codes.1
            if try bytes.readBits(1) == 1 {
                code = try bytes.readBits(7)
                if try bytes.readBits(1) == 1 { record.copies = Int(try bytes.readBits(32)) }
            }
            codes = (code, codes.0)
        }
        guard let app = TokenStatus(rawValue: UInt8(code >> 5)), let auth = TokenStatus(rawValue: UInt8(code >> 3 & 3)),
            code >> 1 & 3 < 3
        else { throw .damaged }
        record.app = app
        record.auth = auth
        record.severity = PassSeverity(rawValue: 1 << UInt8(code >> 1 & 3))
        record.isOfExecution = code & 1 == 1
    }
}
