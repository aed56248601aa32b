// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `server`: shows and changes the keys and addresses of the servers of this machine's registrations.
struct ServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Show the server's key, or follow a server that has moved.",
        discussion: """
            An enrollment belongs to the key of its server. Logins accept no answer that this key has not signed, \
            whatever TLS says. The address may change, and the key stays the same.
            """, subcommands: [ServerShowCommand.self, ServerSetCommand.self, ServerTrustCommand.self])
}
