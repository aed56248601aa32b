/// Names of files.
package enum FileName {
    /// The directory of a file.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A name for what a file was before this time.
    package static func unused(_ path: String, _ now: Timestamp) -> String {
        let name = "\(path).before-\(now.zulu.filter { $0 != "-" && $0 != ":" })"
        guard FileFacts.isThere(name) else { return name }
        return (2...).lazy.map { "\(name).\($0)" }.first { !FileFacts.isThere($0) } ?? name
    }
}
