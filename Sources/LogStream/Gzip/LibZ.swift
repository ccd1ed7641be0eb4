internal import CZlib

/// The library that inflates.
package enum LibZ {
    /// Of the library that is loaded, which need not be the one that callcheck was built with.
    package static var version: String {
        // Safe: zlibVersion returns a constant that ends in NUL.
        unsafe zlibVersion().map { unsafe String(cString: $0) } ?? "unknown"
    }
}
