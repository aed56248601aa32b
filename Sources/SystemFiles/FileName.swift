// SPDX-License-Identifier: Apache-2.0

/// Names of files.
package enum FileName {
    /// The directory that contains a file.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The name of a file without its directory.
    package static func last(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

    /// A name that no file has: this one, or this one with a number.
    package static func unused(_ name: String) -> String {
        guard FileFacts.isThere(name) else { return name }
        return (2...).lazy.map { "\(name).\($0)" }.first { !FileFacts.isThere($0) } ?? name
    }
}
