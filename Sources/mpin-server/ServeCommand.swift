import ArgumentParser
import CommandSyntax
import Foundation
import MPinServer

/// Runs the server until it is told to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve until SIGTERM or SIGINT.",
        discussion: """
            Listens on unix:PATH, or on a loopback port behind a TLS proxy. Any other address needs --tls-cert and \
            --tls-key, and a server that was built with TLS.
            """)

    @Option(
        name: .customLong("dir"), help: ArgumentHelp("The server's directory.", valueName: "directory"),
        completion: .directory)
    var directory = CommandLineText.standardDirectory

    @Option(
        help: ArgumentHelp(
            "The configuration file. Default: /etc/mpin/server.conf for /var/lib/mpin-server, else server.conf in the directory.",
            valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "unix:PATH, 127.0.0.1:PORT, or with TLS 0.0.0.0:PORT; port 0 lets the system choose.", valueName: "address")
    )
    var listen: String

    @Option(
        name: .customLong("tls-cert"), help: ArgumentHelp("A file with the certificate chain, PEM.", valueName: "file"),
        completion: .file())
    var certificate: String?

    @Option(
        name: .customLong("tls-key"), help: ArgumentHelp("A file with the private key, PEM.", valueName: "file"),
        completion: .file())
    var key: String?

    @Option(
        help: ArgumentHelp(
            "unix:PATH, where root and this account get /healthz and /metrics. Default: status_socket in server.conf.",
            valueName: "address"))
    var status: String?

    @Option(
        help: ArgumentHelp(
            "What is served: server, or authority for the second authority that init --role authority has made.",
            valueName: "role"))
    var role = ServedRole.server

    func run() async throws {
        let tls: TLSFiles?
        switch (certificate, key) {
        case (nil, nil): tls = nil
        case (let certificate?, let key?): tls = TLSFiles(certificate: certificate, key: key)
        default: throw ServerFault(.usage, "--tls-cert and --tls-key belong together")
        }
        let service: ListeningServer
        do throws(ServerFault) {
            service = try ListeningServer(
                ServerDirectory(directory, configuration: config), asAuthority: role == .authority,
                configuration: config, listen: ListenAddress(listen), tls: tls,
                status: status.map { text throws(ServerFault) in try ListenAddress(text) })
        } catch { throw unowned(error) }
        try await service.run { address in
            // Not print, which buffers the line where stdout is a pipe. A server serves whether or not a process reads
            // it.
            try? FileHandle.standardOutput.write(contentsOf: Data("mpin-server: ready on \(address.text)\n".utf8))
        }
    }

    /// The fault of a server whose files are root's: whoever is told to run it as their owner would run it as root.
    private func unowned(_ fault: ServerFault) -> ServerFault {
        guard fault.kind == .notPermitted, fault.account == "root", let entry = unsafe getpwuid(geteuid()) else {
            return fault
        }
        let account = ShellWord.quoted(unsafe String(cString: entry.pointee.pw_name))
        return ServerFault(
            .notPermitted, fault.message,
            hint: """
                Do not run a server as root. To have it run as \(account), give it the directory:
                sudo chown -R \(account): \(ShellWord.operand(directory))
                """)
    }
}
