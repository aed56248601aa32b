// SPDX-License-Identifier: Apache-2.0

/// Names of files.
package enum FileName {
    /// The directory that contains a file.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// An unused name for the version of a file before this time.
    package static func unused(_ path: String, _ now: Timestamp) -> String {
        let name = "\(path).before-\(now.zulu.filter { $0 != "-" && $0 != ":" })"
        guard FileFacts.isThere(name) else { return name }
        return (2...).lazy.map { "\(name).\($0)" }.first { !FileFacts.isThere($0) } ?? name
    }
}
