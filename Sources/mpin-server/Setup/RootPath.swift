// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServerStorage
import SystemFiles

/// A path at which only root decides which file is there.
enum RootPath {
    /// As many links as the kernel follows.
    private static let longestChain = 40

    /// Makes sure that no other user can replace a file, a directory on the way to it, or a link.
    ///
    /// - Parameter path: an absolute path.
    static func check(_ path: String) throws(ServerError) {
        guard FileFacts(target: path) != nil else {
            throw ServerError(.configuration, "cannot read \(path): \(SystemError().text)")
        }
        try check(path, links: 0)
    }

    /// Checks a path and, for each link in it, the path that the link names.
    private static func check(_ path: String, links: Int) throws(ServerError) {
        var place = path
        while true {
            guard links < longestChain, let facts = FileFacts(of: place), facts.owner == 0 else {
                throw replaceable(place)
            }
            if facts.kind == S_IFLNK {
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else {
                    throw replaceable(place)
                }
                let isAbsolute = target.hasPrefix("/")
                try check(isAbsolute ? target : FileName.parent(of: place) + "/" + target, links: links + 1)
            } else if facts.isWritableByOthers {
                throw replaceable(place)
            }
            guard place != "/" else { return }
            place = FileName.parent(of: place)
        }
    }

    private static func replaceable(_ place: String) -> ServerError {
        ServerError(
            .configuration, "users other than root can replace \(place)",
            hint: "Copy the files to a directory of root: sudo install -d -m 0700 /etc/mpin-tls")
    }
}
