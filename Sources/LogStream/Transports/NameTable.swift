internal import Platform
internal import Verifications

/// The texts that name a function or a project; a project's name leaves region and name empty.
struct NameKey {
    var project: RawText
    var region = RawText.empty
    var name = RawText.empty
    /// The generation, 0 when unknown.
    var tag: UInt8 = 0

    var isName: Bool { project.isName && region.isName && name.isName }
}

/// Gives each name a small index without making a string of it; a full table takes no more names.
///
/// The hash that finds names is keyed, so that a log cannot be built to make look-ups slow.
@safe struct NameTable {
    static let none: Int32 = 0
    /// The longest text a name may have, in bytes.
    static let textLimit = 256

    private struct Entry {
        var hash: UInt64
        var start: Int
        var lengths: [3 of UInt16]
        var tag: UInt8

        /// True if this is the name; not a method of the table, which the compiler would copy for it.
        func isOf(_ name: NameKey, in bytes: [UInt8]) -> Bool {
            guard tag == name.tag, Int(lengths[0]) == name.project.count, Int(lengths[1]) == name.region.count,
                Int(lengths[2]) == name.name.count
            else { return false }
            return unsafe bytes.withUnsafeBufferPointer { stored in
                guard let base = stored.baseAddress else { return true }
                let region = start + name.project.count
                // Safe: the texts follow one another from `start`, and have the lengths compared above.
                return unsafe memcmp(base + start, name.project.start, name.project.count) == 0
                    && memcmp(base + region, name.region.start, name.region.count) == 0
                    && memcmp(base + region + name.region.count, name.name.start, name.name.count) == 0
            }
        }
    }

    private let key: HashKey
    private let limit: Int
    private(set) var isOverfull = false
    private var bytes: [UInt8] = []
    private var entries: [Entry]
    /// By the keyed hash, by which alone the set of entries knows a name.
    private var indices: [UInt64: Int32] = [:]
    /// Names that were looked up recently, by a hash that is cheap and steers nothing: a hit saves the keyed one.
    private var recent = [Int32](repeating: 0, count: NameTable.recentCount)
    private static let recentCount = 256

    init(key: HashKey, limit: Int) {
        self.key = key
        self.limit = max(limit, 1)
        entries = [Entry(hash: 0, start: 0, lengths: .init(repeating: 0), tag: 0)]
    }

    /// Number of indices handed out so far, that of no name included.
    var count: Int { entries.count }

    mutating func index(of name: NameKey) -> Int32 {
        let place = NameTable.recentPlace(of: name)
        let known = recent[place]
        if known != NameTable.none, entries[Int(known)].isOf(name, in: bytes) { return known }
        let index = lookUp(name)
        recent[place] = index
        return index
    }

    /// Returns the place in ``recent`` where a name is kept, found from the ends of its texts.
    @inline(__always)
    private static func recentPlace(of name: NameKey) -> Int {
        let mixed = name.project.ends ^ (name.region.ends &* 3) ^ (name.name.ends &* 5) ^ UInt64(name.tag)
        return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    private mutating func lookUp(_ name: NameKey) -> Int32 {
        let hash = NameTable.hash(name, key)
        if let index = indices[hash] { return index }
        guard entries.count <= limit else {
            isOverfull = true
            return NameTable.none
        }
        return insert(name, hash: hash)
    }

    func identity(at index: Int32) -> FunctionIdentity {
        let entry = entries[Int(index)]
        var position = entry.start
        func next(_ length: UInt16) -> String {
            defer { position += Int(length) }
            return String(decoding: bytes[position..<position + Int(length)], as: UTF8.self)
        }
        let (project, region, name) = (next(entry.lengths[0]), next(entry.lengths[1]), next(entry.lengths[2]))
        return FunctionIdentity(
            project: project, region: region, name: name, generation: Generation(rawValue: entry.tag))
    }

    func hash(at index: Int32) -> UInt64 { entries[Int(index)].hash }

    /// The keyed hash of a name that need not be in the table.
    func hash(of name: NameKey) -> UInt64 {
        let known = recent[NameTable.recentPlace(of: name)]
        return known != NameTable.none && entries[Int(known)].isOf(name, in: bytes)
            ? entries[Int(known)].hash : NameTable.hash(name, key)
    }

    static func hash(_ name: NameKey, _ key: HashKey) -> UInt64 {
        var hash = SipHash(key: key)
        hash.add(name.project)
        hash.add(name.region)
        hash.add(name.name)
        hash.add(word: UInt64(name.tag))
        return hash.finish()
    }

    private mutating func insert(_ name: NameKey, hash: UInt64) -> Int32 {
        let start = bytes.count
        for text in [name.project, name.region, name.name] { unsafe bytes.append(contentsOf: text.buffer) }
        let index = Int32(entries.count)
        entries.append(
            Entry(
                hash: hash, start: start,
                lengths: [UInt16(name.project.count), UInt16(name.region.count), UInt16(name.name.count)],
                tag: name.tag))
        indices[hash] = index
        return index
    }
}

extension NameKey {
    static func of<Value>(
        _ project: String, region: String = "", name: String = "", tag: UInt8 = 0, _ body: (NameKey) -> Value
    ) -> Value {
        let texts = [project, region, name].map { Array($0.utf8) }
        return unsafe texts[0].withUnsafeBufferPointer { project in
            unsafe texts[1].withUnsafeBufferPointer { region in
                unsafe texts[2].withUnsafeBufferPointer { name in
                    // Safe: the key is not used after the call.
                    body(
                        unsafe NameKey(
                            project: RawText(project), region: RawText(region), name: RawText(name), tag: tag))
                }
            }
        }
    }
}

extension RawText {
    /// The first and the last eight bytes, or fewer, as one number.
    @inline(__always)
    var ends: UInt64 {
        guard count >= 8 else { return count == 0 ? 0 : UInt64(self[0]) << 32 | UInt64(self[count - 1]) }
        // Safe: the text has eight bytes.
        let first = unsafe UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
        let last = unsafe UnsafeRawPointer(start + (count - 8)).loadUnaligned(as: UInt64.self)
        return first &+ last &* 0xC2B2_AE3D_27D4_EB4F
    }
}
