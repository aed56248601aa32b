// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import MPinServer
import MPinServerStorage
import ShellSyntax
import SystemFiles

/// The account that runs the server, and its directories.
struct ServerAccount {
    static let name = "mpin"

    let user: uid_t
    let group: gid_t

    private init?() throws(ServerError) {
        guard let entry = unsafe getpwnam(Self.name) else { return nil }
        user = unsafe entry.pointee.pw_uid
        group = unsafe entry.pointee.pw_gid
        let shell = unsafe String(cString: entry.pointee.pw_shell)
        guard Self.systemUsers.contains(user) else { throw Self.person("has the user ID \(user)") }
        guard shell.hasSuffix("/nologin") || shell.hasSuffix("/false") else {
            throw Self.person("has the login shell \(shell.isEmpty ? "/bin/sh" : shell)")
        }
    }

    private static let systemUsers: Range<uid_t> = 1..<1_000

    /// The error for an account of a person, who would own the server and all enrollments.
    private static func person(_ reason: String) -> ServerError {
        ServerError(
            .configuration, "the account \(name) is not a system account: it \(reason)",
            hint: "The server needs a system account with this name, without a login shell. Nothing was changed.\n"
                + "If a person uses the account, rename it: sudo usermod --login NEW_NAME \(name)\n"
                + "Otherwise: sudo usermod --shell /usr/sbin/nologin \(name)")
    }

    static func make(_ steps: inout SetupSteps) throws(ServerError) -> ServerAccount {
        if let account = try ServerAccount() {
            steps.note("account", "the account \(name) exists")
            return account
        }
        let made = try SystemCommand(
            "/usr/sbin/useradd", "--system", "--user-group", "--no-create-home", "--home-dir",
            ServerDirectory.installed, "--shell", "/usr/sbin/nologin", name
        ).run()
        guard let account = try ServerAccount() else {
            throw ServerError(
                .cannotCreate, "cannot create the account \(name): \(made.reason)",
                hint: "Create a system account with this name.\nThen run: sudo mpin-server setup")
        }
        steps.done("account", "created the account \(name), which runs the server")
        return account
    }

    /// Creates a directory that the account owns, unless it exists.
    func make(directory path: String, mode: mode_t) throws(ServerError) -> Bool {
        let isNew = unsafe mkdir(path, mode) == 0
        guard isNew || errno == EEXIST else {
            throw ServerError(.cannotCreate, "cannot create \(path): \(SystemError().text)")
        }
        guard let facts = FileFacts(of: path), facts.isDirectory else {
            throw ServerError(.cannotCreate, "\(path) exists and is not a directory", hint: "Move it away.")
        }
        if facts.owner == user { return isNew }
        // An empty directory of root may remain from a run that was interrupted here.
        let contents = (try? Directory.names(in: path)) ?? ["?"]
        guard facts.owner == 0, contents.isEmpty else {
            throw ServerError(
                .notPermitted, "\(path) does not belong to the account \(Self.name)",
                hint: "If it is this server's directory, run: sudo chown -R \(Self.name): \(ShellWord.operand(path))")
        }
        guard unsafe chmod(path, mode) == 0, unsafe lchown(path, user, group) == 0 else {
            throw ServerError(.cannotCreate, "cannot change the owner of \(path) to \(Self.name)")
        }
        return true
    }
}
