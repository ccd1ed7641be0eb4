/// How JSON is laid out: indented by two spaces, as Google's tools do, with its keys sorted or in their order.
struct JSONLayout {
    /// As Python's `json.dumps(indent=2, sort_keys=True)`, with which `gcloud` prints.
    static let gcloud = JSONLayout(sortsKeys: true)
    /// Keys stay in their order.
    static let indented = JSONLayout(sortsKeys: false)

    private let sortsKeys: Bool

    /// Appends an outlined value, whose first line is already indented.
    ///
    /// - Parameters:
    ///   - node: The value's node.
    ///   - outline: What it is a node of.
    ///   - depth: How many levels the value lies deep.
    ///   - bytes: What is appended to.
    func append(_ node: Int = 0, of outline: JSONOutline, depth: Int = 0, to bytes: inout [UInt8]) {
        let value = outline.nodes[node]
        guard value.kind != .scalar, value.first != 0 else { return outline.append(node, to: &bytes) }
        bytes.append(value.kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        var isFirst = true
        func appendInner(_ child: Int) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONLayout.breakLine(depth: depth + 1, &bytes)
            if value.kind == .object {
                let key = outline.nodes[child].key
                bytes.append(contentsOf: outline.bytes[key.lowerBound - 1...key.upperBound])
                bytes.append(": ")
            }
            append(child, of: outline, depth: depth + 1, to: &bytes)
        }
        if sortsKeys && value.kind == .object {
            for child in sortedChildren(of: node, outline) { appendInner(child) }
        } else {
            outline.forEach(in: node, appendInner)
        }
        JSONLayout.breakLine(depth: depth, &bytes)
        bytes.append(value.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    /// Ends a line and indents the next one.
    static func breakLine(depth: Int, _ bytes: inout [UInt8]) {
        bytes.append(0x0A)
        for _ in 0..<depth * 2 { bytes.append(UInt8(ascii: " ")) }
    }

    private func sortedChildren(of node: Int, _ outline: JSONOutline) -> [Int] {
        var children: [Int] = []
        outline.forEach(in: node) { children.append($0) }
        return children.sorted { left, right in
            outline.bytes[outline.nodes[left].key].lexicographicallyPrecedes(outline.bytes[outline.nodes[right].key])
        }
    }
}
