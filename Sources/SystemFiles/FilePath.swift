// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The way from the root directory to a file, which tells who can put another file in its place.
package enum FilePath {
    /// As many links as the kernel follows.
    private static let longestChain = 40

    /// Examines a file, each directory above it and, for each link, the link and the path that it names.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - isSought: whether a file or directory on the way is the one that is sought.
    /// - Returns: the first such place, from the file upward, or a place that cannot be examined; nil if there is none.
    package static func place(on path: String, where isSought: (FileFacts) -> Bool) -> String? {
        place(on: path, links: 0, isSought)
    }

    private static func place(on path: String, links: Int, _ isSought: (FileFacts) -> Bool) -> String? {
        var place = path
        while true {
            guard links < longestChain, let facts = FileFacts(of: place), !isSought(facts) else { return place }
            if facts.isLink {
                guard let target = target(of: place) else { return place }
                let next = target.hasPrefix("/") ? target : FileName.parent(of: place) + "/" + target
                if let found = Self.place(on: next, links: links + 1, isSought) { return found }
            }
            guard place != "/" else { return nil }
            place = FileName.parent(of: place)
        }
    }

    /// The path in a symbolic link; nil if it cannot be read.
    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &bytes, bytes.count)
        guard 1..<bytes.count ~= count else { return nil }
        return String(validating: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
