internal import Verifications

/// Finds the name that somebody who mistyped one most likely meant.
///
/// ```swift
/// NearestName.of("addMesage", among: ["addMessage", "deleteAccount"])  // "addMessage"
/// NearestName.of("admn*", among: ["adminGenerateReport"])              // "adminGenerateReport"
/// ```
package enum NearestName {
    /// Each is compared with all names; whoever has more of them unmatched did not mistype them.
    static let mostSought = 20

    /// The nearest of the names, or nil when none is near.
    ///
    /// Names are compared after ``FunctionIdentity/normalized(_:)``. One mistake is allowed for every three characters
    /// that were typed, and three at most. If several are equally near, the first in the alphabet is returned.
    package static func of(_ typed: String, among names: some Sequence<String>) -> String? {
        let pattern = Array(FunctionIdentity.normalized(typed).unicodeScalars)
        var best: (distance: Int, name: String)?
        for name in names {
            let distance = distance(pattern, Array(FunctionIdentity.normalized(name).unicodeScalars))
            if best.map({ (distance, ExactName(name)) < ($0.distance, ExactName($0.name)) }) ?? true {
                best = (distance, name)
            }
        }
        let allowed = min(3, pattern.count { $0 != "*" } / 3)
        return best.flatMap { $0.distance <= allowed ? $0.name : nil }
    }

    /// Returns the number of single changes from the typed text to a name: the optimal string alignment distance.
    ///
    /// A change inserts, removes or replaces one character, or swaps two neighbours (Boytsov 2011, "Indexing methods
    /// for approximate dictionary searching", section 2). What `*` or `?` of a pattern matches costs nothing.
    static func distance(_ pattern: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...name.count)
        for (row, typed) in pattern.enumerated() {
            var current = [typed == "*" ? last[0] : last[0] + 1]
            for (column, scalar) in name.enumerated() {
                if typed == "*" {
                    current.append(min(last[column + 1], current[column]))
                    continue
                }
                let replaced = last[column] + (typed == scalar || typed == "?" ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, typed == name[column - 1], pattern[row - 1] == scalar {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            beforeLast = last
            last = current
        }
        return last[name.count]
    }
}
