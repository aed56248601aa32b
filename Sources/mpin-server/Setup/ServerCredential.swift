import Foundation
import MPinServer

/// The sealing key of this host's server as a credential, which systemd seals to the host, or to its TPM.
struct ServerCredential {
    private static let directory = "/etc/credstore.encrypted"
    private static let file = directory + "/mpin-server.seal.key"

    let unit: String
    let socket: String

    /// Has systemd seal the key, and gives the file up when the server has started with the credential.
    func make(_ steps: inout SetupSteps, isShown: Bool) throws -> RecoveryKeyText? {
        let server = ServerDirectory(CommandLineText.standardDirectory)
        let key = server.path + "/seal.key"
        let aside = key + ".uncovered"
        let recovery = RecoveryKeyText(try server.recoveryKey())
        guard unsafe mkdir(Self.directory, 0o700) == 0 || errno == EEXIST else { throw Self.failed(Self.directory) }
        let sealed = try SystemCommand(
            "/usr/bin/systemd-creds", "encrypt", "--name=seal.key", key, Self.file
        ).run()
        guard sealed.status == 0 else {
            throw ServerFault(
                .cannotCreate, "systemd-creds could not seal the key: \(sealed.reason)",
                hint: "The server is set up, with its key in a file.")
        }
        // Said before the file goes: what follows may be cut off.
        if isShown, let recovery {
            Output.print(
                recovery.lines.joined(separator: "\n"),
                otherwise: "The server is set up, with its key in a file. For the credential, run setup again where "
                    + "its answer can be read.")
        }
        guard unsafe rename(key, aside) == 0 else { throw Self.failed(aside) }
        let restarted = try SystemCommand("/usr/bin/systemctl", "restart", unit).run()
        guard restarted.status == 0, isAnswered() else {
            unsafe rename(aside, key)
            unsafe unlink(Self.file)
            _ = try SystemCommand("/usr/bin/systemctl", "restart", unit).run()
            throw ServerFault(
                .unavailable, "the server does not start with the credential: \(restarted.reason)",
                hint: "Its key is in a file again. To see why, run: sudo journalctl -u \(unit)")
        }
        guard unsafe unlink(aside) == 0 else { throw Self.failed(aside) }
        steps.done("credential", "systemd has the key: \(Self.file); \(key) is gone")
        return recovery
    }

    private func isAnswered() -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        while !ServerProbe(path: socket).isAnswered() {
            if ContinuousClock.now > end { return false }
            usleep(100_000)
        }
        return true
    }

    private static func failed(_ path: String) -> ServerFault {
        ServerFault(.cannotCreate, "cannot change \(path): \(unsafe String(cString: strerror(errno)))")
    }
}
