// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage
import ShellSyntax
import SystemFiles

struct ServeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server until SIGTERM or SIGINT.",
        discussion: """
            Listens on the addresses in server.conf (by default unix:/run/mpin/server.sock for the installed server), \
            or on those given with --listen. Addresses that other hosts can reach require --tls-cert and --tls-key.
            """)

    @OptionGroup var place: DirectoryOptions

    @Option(
        help: .value(
            "address", "unix:PATH, 127.0.0.1:PORT, or 0.0.0.0:PORT with TLS. Port 0 picks a free port. Can be repeated."
        )) var listen: [String] = []

    @Option(
        name: .customLong("tls-cert"), help: .value("file", "PEM file with the certificate chain."), completion: .file()
    ) var certificate: String?

    @Option(name: .customLong("tls-key"), help: .value("file", "PEM file with the private key."), completion: .file())
    var key: String?

    @Option(help: .value("address", "unix:PATH of the status socket (default status_socket in server.conf)."))
    var status: String?

    var output: Output { Output(json: false, directory: place.directory, config: place.config) }

    func run() throws {
        let tls: TLSFiles?
        switch (certificate, key) {
        case (nil, nil): tls = nil
        case (let certificate?, let key?): tls = TLSFiles(certificate: certificate, key: key)
        default: throw ServerError(.usage, "--tls-cert and --tls-key must be given together")
        }
        let service: ListeningServer
        do throws(ServerError) {
            let directory = try place.serverDirectory
            service = try ListeningServer(
                directory, asAuthority: directory.role == .authority, configuration: place.config,
                listen: listen.map { text throws(ServerError) in try ListenAddress(text) },
                tls: tls, status: status.map { text throws(ServerError) in try ListenAddress(text) })
        } catch {
            ListeningServer.report(failure: error)
            throw unowned(error)
        }
        Task {
            do {
                try await service.run { addresses in
                    let text = addresses.map(\.text).joined(separator: ", ")
                    // `print` would buffer the line if stdout is a pipe. The server runs even if no process reads it.
                    try? FileHandle.standardOutput.write(contentsOf: Data("mpin-server: ready on \(text)\n".utf8))
                }
            } catch {
                ListeningServer.report(failure: error)
                MPinServerCommand.end(error, output)
            }
            Foundation.exit(0)
        }
        dispatchMain()
    }

    /// Replaces the advice for a directory that root owns: "run it as the owner" would mean running the server as root.
    private func unowned(_ fault: ServerError) -> ServerError {
        guard fault.kind == .notPermitted, fault.account == "root", let own = FileFacts.account(geteuid()) else {
            return fault
        }
        let account = ShellWord.quoted(own)
        return ServerError(
            .notPermitted, fault.message,
            hint: """
                To run the server as \(account), change the owner of its directory:
                sudo chown -R \(account): \(ShellWord.operand(place.directory))
                """)
    }
}
