/// The places of the values in a compact JSON text, so that they can be written in another layout.
///
/// ```
/// {"a":[1,"b"]}     node 0 {…}, node 1 "a":[…], node 2 1, node 3 "b"
/// ```
///
/// The text is one that this module wrote: an object without white space between its tokens. Values are kept as their
/// bytes, so that numbers and escapes stay as they were spelled.
struct JSONOutline {
    enum Kind {
        case object
        case array
        case scalar
    }

    struct Node {
        let kind: Kind
        /// The key's bytes without its quotes; empty where there is none.
        let key: Range<Int>
        /// The value's bytes.
        fileprivate(set) var text: Range<Int>
        /// The first value inside; 0 where there is none.
        fileprivate(set) var first = 0
        /// The next value beside; 0 where there is none.
        fileprivate(set) var next = 0
    }

    /// The text.
    private(set) var bytes: [UInt8] = []
    /// All values; the first one is the whole.
    private(set) var nodes: [Node] = []

    /// Takes another text.
    mutating func replace(_ write: (inout [UInt8]) -> Void) {
        bytes.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
        write(&bytes)
        var index = 0
        _ = readValue(key: 0..<0, at: &index)
    }

    /// Calls `body` with each value directly inside a node, in the order of the text.
    func forEach(in node: Int, _ body: (Int) -> Void) {
        var child = nodes[node].first
        while child != 0 {
            body(child)
            child = nodes[child].next
        }
    }

    /// The value of a key directly inside a node; nil where there is none.
    func child(_ key: StaticString, of node: Int = 0) -> Int? {
        var child = nodes[node].first
        while child != 0 {
            if isKey(child, key) { return child }
            child = nodes[child].next
        }
        return nil
    }

    /// True when a node has this key.
    func isKey(_ node: Int, _ key: StaticString) -> Bool {
        let range = nodes[node].key
        guard range.count == key.utf8CodeUnitCount else { return false }
        return bytes[range].elementsEqual(key.description.utf8)
    }

    /// Appends the value's bytes as they are.
    func append(_ node: Int, to output: inout [UInt8]) {
        output.append(contentsOf: bytes[nodes[node].text])
    }

    /// Appends key, colon and value as they are.
    func appendMember(_ node: Int, to output: inout [UInt8]) {
        output.append(contentsOf: bytes[nodes[node].key.lowerBound - 1..<nodes[node].text.upperBound])
    }

    // MARK: Reading

    private mutating func readValue(key: Range<Int>, at index: inout Int) -> Int {
        let start = index
        let node = nodes.count
        switch bytes[index] {
        case UInt8(ascii: "{"):
            nodes.append(Node(kind: .object, key: key, text: start..<start))
            readInside(node, at: &index)
        case UInt8(ascii: "["):
            nodes.append(Node(kind: .array, key: key, text: start..<start))
            readInside(node, at: &index)
        case UInt8(ascii: "\""):
            nodes.append(Node(kind: .scalar, key: key, text: start..<start))
            skipString(&index)
        default:
            nodes.append(Node(kind: .scalar, key: key, text: start..<start))
            while !endsScalar(bytes[index]) { index += 1 }
        }
        nodes[node].text = start..<index
        return node
    }

    /// Reads the values between two brackets, from the first bracket to behind the last.
    private mutating func readInside(_ node: Int, at index: inout Int) {
        let isObject = nodes[node].kind == .object
        index += 1
        var last = 0
        while bytes[index] != UInt8(ascii: "}"), bytes[index] != UInt8(ascii: "]") {
            if bytes[index] == UInt8(ascii: ",") { index += 1 }
            var key = 0..<0
            if isObject {
                let start = index + 1
                skipString(&index)
                key = start..<index - 1
                index += 1
            }
            let child = readValue(key: key, at: &index)
            if last == 0 { nodes[node].first = child } else { nodes[last].next = child }
            last = child
        }
        index += 1
    }

    private func endsScalar(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    /// Moves from a string's first quote to behind its last.
    private func skipString(_ index: inout Int) {
        index += 1
        while bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index += 1
    }
}
