// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// The owner of a server's directory, which root becomes before it opens anything there.
///
/// What is in the directory is the owner's choice: a link, or a journal that makes SQLite delete a file of any name. So
/// nothing of it is opened with root's permissions.
package struct DirectoryOwner: Sendable {
    /// The account that this process becomes; nil if it keeps its own.
    private let account: Account?

    /// - Parameter directory: the path of the directory. If it does not exist, the owner of the nearest existing
    ///   directory above it counts.
    /// - Throws: ``ServerError`` if the caller is root, and a user other than root and the owner can replace the
    ///   directory.
    package init(of directory: String) throws(ServerError) {
        guard geteuid() == 0 else {
            account = nil
            return
        }
        let (path, owner) = try Self.find(FileName.absolute(directory))
        let foreign = FilePath.place(on: path) { facts in
            ![0, owner].contains(facts.owner) || Self.isReplaceable(in: facts)
        }
        if let foreign {
            let users = owner == 0 ? "root" : "root and the owner of \(directory)"
            throw ServerError(
                .notPermitted, "users other than \(users) can replace \(foreign)",
                hint: "Nothing was changed. No other user may own \(foreign) or write there.\n"
                    + "Check: namei -l \(ShellWord.operand(directory))")
        }
        guard owner != 0 else {
            account = nil
            return
        }
        guard let account = Account(owner) else {
            throw ServerError(
                .notPermitted, "\(path) belongs to the user ID \(owner), which has no account",
                hint: "Give it to an account: sudo chown -R ACCOUNT: \(ShellWord.operand(path))")
        }
        self.account = account
    }

    /// Becomes the owner, for good, if the caller is root and another account owns the directory.
    package func become() throws(ServerError) {
        guard let account else { return }
        do throws(SystemError) { try account.become() } catch {
            throw ServerError(.internalFault, "cannot become the account \(account.name): \(error.text)")
        }
        // The system has forgotten it with the change of the user.
        LockedMemory.protect()
    }

    /// Whether the owner decides which file is at a path, so that root must not open it.
    package func decides(on path: String) -> Bool {
        guard let account else { return false }
        var place = FileName.absolute(path)
        while !FileFacts.isThere(place), place != "/" { place = FileName.parent(of: place) }
        let found = FilePath.place(on: place) { facts in
            facts.owner == account.user && (facts.isDirectory || facts.isLink) || Self.isReplaceable(in: facts)
        }
        return found != nil
    }

    /// Whether any user can replace the files in a directory.
    private static func isReplaceable(in facts: FileFacts) -> Bool {
        facts.isDirectory && facts.isWritableByOthers && !facts.isSticky
    }

    /// The directory, or the nearest existing one above it, and its owner.
    private static func find(_ directory: String) throws(ServerError) -> (path: String, owner: UInt32) {
        var path = directory
        while true {
            do throws(FileError) {
                if let facts = try SystemFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).facts {
                    return (path, facts.owner)
                }
            } catch {
                // Through a link, another directory than this one would be opened.
                guard [ENOENT, ENOTDIR].contains(error.cause.number), FileFacts(of: path)?.isLink != true else {
                    throw ServerError(.configuration, "\(path) is not a directory", hint: "Check --dir.")
                }
            }
            guard path != "/", !path.isEmpty else {
                throw ServerError(.configuration, "\(directory) is not a directory", hint: "Check --dir.")
            }
            path = FileName.parent(of: path)
        }
    }
}
