// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer

struct FingerprintCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "fingerprint", abstract: "Print the fingerprint of the server's key.",
        discussion: """
            Changes nothing, and works while the server runs. Give the fingerprint to administrators of devices, who \
            compare it.

            Example: sudo mpin-server fingerprint
            """)

    @OptionGroup var options: Options

    func run() throws {
        let fingerprint = try options.serverDirectory.fingerprint()
        try options.output.succeed(fingerprint, ["fingerprint": fingerprint])
    }
}
