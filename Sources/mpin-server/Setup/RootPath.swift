// SPDX-License-Identifier: Apache-2.0
import MPinServerStorage
import SystemFiles

/// A path at which only root decides which file is there.
enum RootPath {
    /// Makes sure that no other user can replace a file, a directory on the way to it, or a link.
    ///
    /// - Parameter path: an absolute path.
    static func check(_ path: String) throws(ServerError) {
        guard FileFacts(target: path) != nil else {
            throw ServerError(.configuration, "cannot read \(path): \(SystemError().text)")
        }
        guard let place = FilePath.place(on: path, where: { $0.owner != 0 || !$0.isLink && $0.isWritableByOthers })
        else { return }
        throw ServerError(
            .configuration, "users other than root can replace \(place)",
            hint: "Copy the files to a directory of root: sudo install -d -m 0700 /etc/mpin-tls")
    }
}
