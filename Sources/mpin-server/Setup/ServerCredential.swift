// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

/// The sealing key of this host's server as a credential, which systemd seals to the host or to its TPM.
struct ServerCredential {
    private static let directory = "/etc/credstore.encrypted"
    static let file = directory + "/mpin-server.seal.key"
    /// Whether the credential exists.
    static var isThere: Bool { unsafe access(file, F_OK) == 0 }

    let unit: String
    let program: AccountProgram

    /// Lets systemd seal the key. Deletes the key file once the server has started with the credential.
    func make(_ steps: inout SetupSteps, isShown: Bool) throws -> RecoveryKeyText? {
        let key = ServerDirectory.installed + "/seal.key"
        let aside = key + ".uncovered"
        let recovery = RecoveryKeyText(try program.ask("setup-state", "--json", "--recovery"))
        try SetupFile.make(directory: Self.directory, mode: 0o700)
        // The server's account reads the key, not root: a link would otherwise give it a file that only root can read.
        let sealed = try SystemCommand(
            ["/bin/sh", "-c", "\"$@\" | /usr/bin/systemd-creds encrypt --name=seal.key - \"$0\"", Self.file]
                + program.words("/bin/cat", ["--", key])
        ).run()
        guard sealed.status == 0 else {
            throw ServerError(
                .cannotCreate, "systemd-creds cannot seal the key: \(sealed.reason)",
                hint: "The server is set up, with its key in a file.")
        }
        // Shown before the file is deleted, because the rest may be interrupted.
        if isShown, let recovery {
            Output.print(
                recovery.lines.joined(separator: "\n"),
                otherwise: "The server is set up, with its key in a file. For the credential, run setup again where "
                    + "its output can be read.")
        }
        guard try move(key, to: aside) else { throw Self.failed(aside) }
        let restarted = try SystemCommand("/usr/bin/systemctl", "restart", unit).run()
        guard restarted.status == 0, try program.isAnswered(within: 30) else {
            _ = try move(aside, to: key)
            unsafe unlink(Self.file)
            _ = try SystemCommand("/usr/bin/systemctl", "restart", unit).run()
            throw ServerError(
                .unavailable, "the server does not start with the credential: \(restarted.reason)",
                hint: "Its key is in a file again.\nSee: sudo journalctl -u \(unit)")
        }
        guard try program.run("/bin/rm", "--", aside).status == 0 else { throw Self.failed(aside) }
        steps.done("credential", "moved the key to the credential \(Self.file), deleted \(key)")
        return recovery
    }

    private func move(_ file: String, to target: String) throws(ServerError) -> Bool {
        try program.run("/bin/mv", "-T", "--", file, target).status == 0
    }

    private static func failed(_ path: String) -> ServerError {
        ServerError(.cannotCreate, "cannot change \(path): \(SystemError().text)")
    }
}
