// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerRoles
import MPinServerStorage
import ShellSyntax
import SystemFiles

/// The address at which other machines reach the server of this host, besides its socket.
///
/// The address is in a file of settings. Whenever the server starts or reloads, systemd copies the certificate and its
/// key as root, so the server's account needs no access to the files. It also makes the directory of a proxy's socket.
struct PublicAddress {
    /// How requests to the address reach the server.
    enum Way {
        /// The server itself uses TLS.
        case tls(certificate: String, key: String)
        /// The server itself uses TLS, with a certificate that it makes and renews.
        case selfSigned
        /// A proxy of this host uses TLS, and passes requests to a socket of its own.
        case proxy(ProxyAccount)
    }

    private static let settings = SettingsDirectory.path + "/20-public.conf"
    private static let dropIn = "/etc/systemd/system/\(SetupCommand.unit).d/20-public.conf"
    /// The directory with the copies for the server. Root owns it, and the server's group reads it.
    private static let copies = "/run/mpin-tls"

    let url: String
    private let way: Way
    private let port: Int

    /// Checks the address and the files, before anything changes.
    init(_ text: String, _ way: Way) throws(ServerError) {
        url = try PublicURL.checked(text, at: "--public-url")
        guard url.hasPrefix("https://"), !PublicURL.isLoopback(url) else {
            throw ServerError(
                .usage, "--public-url: other machines cannot use \(text)", hint: "Write https://HOST[:PORT][/PATH].")
        }
        guard let port = PublicURL.port(url) else {
            throw ServerError(.usage, "--public-url: not a port: \(text)", hint: "Write https://HOST[:PORT][/PATH].")
        }
        self.port = port
        switch way {
        case .proxy(let proxy):
            try proxy.check()
            self.way = way
        case .selfSigned:
            _ = try CertificateHost(url: url)
            self.way = way
        case .tls(let certificate, let key):
            let directory = FileManager.default.currentDirectoryPath
            let files = [certificate, key].map { $0.hasPrefix("/") ? $0 : directory + "/" + $0 }
            for file in files where !file.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"%$\"'\\".utf8.contains($0) }) {
                throw ServerError(.usage, "systemd cannot copy \(file): its path has special characters")
            }
            // systemd reads them as root, and gives the server's account copies.
            for file in files { try SetupFile.demandRoot(file) }
            try TLSFiles(certificate: files[0], key: files[1], host: PublicURL.host(url)).check()
            self.way = .tls(certificate: files[0], key: files[1])
        }
    }

    private var settingsText: String {
        let head = "# Written by 'mpin-server setup --public-url'. /etc/mpin/server.conf overrides this file.\n"
        let socket = "unix:\(SetupCommand.socket)"
        switch way {
        case .tls(let certificate, let key):
            return head + """
                public_url = \(url)
                listen = \(socket), [::]:\(port)
                tls_cert = \(certificate)
                tls_key = \(key)
                tls_copies = \(Self.copies)

                """
        case .selfSigned:
            return head + """
                public_url = \(url)
                listen = \(socket), [::]:\(port)
                tls_self_signed = yes

                """
        case .proxy(let proxy):
            return head + """
                public_url = \(url)
                listen = \(socket), unix:\(proxy.socket)
                trusted_proxy = \(proxy.name)

                """
        }
    }

    /// What systemd does for the server. If the certificate no longer exists, the server uses the former copies. Without
    /// copies or without the group of the proxy, it listens on its socket alone.
    private var dropInText: String {
        var lines: [String]
        switch way {
        case .tls(let certificate, let key):
            let copying = [(certificate, "tls.crt"), (key, "tls.key")].map { file, name in
                "-+/usr/bin/install -m 0640 -g \(ServerAccount.name) \(file) \(Self.copies)/\(name)"
            }
            lines = [
                "# Written by 'mpin-server setup --public-url': copies of the certificate and its key for the server.",
                "[Service]",
            ]
            lines += copying.map { "ExecStartPre=\($0)" }
            lines += ["# Copies them before the server reads them again.", "ExecReload="]
            lines += copying.map { "ExecReload=\($0)" }
            lines += ["ExecReload=/bin/sh -c 'kill -HUP $$MAINPID'"]
            lines += portLines
        case .selfSigned:
            lines = ["# Written by 'mpin-server setup --public-url'.", "[Service]"] + portLines
        case .proxy(let proxy):
            lines = [
                "# Written by 'mpin-server setup --public-url': the directory of the proxy's socket.",
                "[Service]", "ExecStartPre=-+\(proxy.makeDirectory)", "ReadWritePaths=-\(proxy.directory)",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What a port below 1024 needs.
    private var portLines: [String] {
        port < 1_024 ? ["AmbientCapabilities=CAP_NET_BIND_SERVICE", "CapabilityBoundingSet=CAP_NET_BIND_SERVICE"] : []
    }

    /// Writes the settings, and starts the server again with them. If it does not start, everything is as before.
    ///
    /// An interrupted call leaves files with which the server starts, and nothing that the next call does not repeat,
    /// because the server is always restarted.
    func open(_ program: AccountProgram, _ steps: inout SetupSteps, start: (inout SetupSteps) throws -> Void) throws {
        let before: Files = (Self.read(Self.settings), Self.read(Self.dropIn))
        do {
            try Self.change(to: (settingsText, dropInText))
            try demandEffect()
            try start(&steps)
            try restart(program)
        } catch {
            try restore(before, program)
            throw error
        }
        guard before.settings != settingsText || before.dropIn != dropInText else {
            return steps.note("public", "other machines reach the server at \(url)")
        }
        var text = "wrote \(Self.settings): other machines reach the server at \(url)"
        if case .selfSigned = way {
            text +=
                "\nIt makes and renews its certificate, which machines verify with an invitation or an enrollment.\n"
                + "For browsers, see: sudo mpin-server config browser-ca --help"
        } else {
            text += "\nCheck it from another machine: sudo mpin-enroll server show --server \(ShellWord.quoted(url))"
        }
        steps.done("public", text)
        if case .tls = way, let settings = before.settings, settings.contains("tls_self_signed = yes") {
            steps.note(
                "trust",
                "Enrolled machines trusted the server's own certificate. If the new one is from a CA of your own, "
                    + "they need that CA's certificate now: /usr/local/share/ca-certificates/NAME.crt, and then "
                    + "sudo update-ca-certificates")
        }
        if case .proxy(let proxy) = way {
            steps.note(
                "proxy",
                "the proxy connects to \(proxy.socket)\n"
                    + "Every program that runs as \(proxy.name) counts as the proxy, and can name any client address.")
        }
        if let old = before.settings.flatMap(Self.address), old != url {
            steps.note(
                "moved",
                "The address was \(old). On machines that use it, run: "
                    + "sudo mpin-enroll server set \(ShellWord.quoted(url))")
        }
    }

    /// Puts the earlier settings back, and starts the server with them.
    private func restore(_ before: Files, _ program: AccountProgram) throws(ServerError) {
        do {
            try Self.change(to: before)
            try restart(program)
        } catch {
            throw ServerError(
                .unavailable, "the server starts neither with the public address nor without it",
                hint: "See: sudo journalctl -u \(SetupCommand.unit)\nDelete the settings of the address: "
                    + "sudo rm \(Self.settings) \(Self.dropIn)")
        }
    }

    /// Makes sure that no other file overrides the settings.
    private func demandEffect() throws(ServerError) {
        let configuration = try ServerDirectory.readRootConfiguration()
        let wanted = ConfigurationFile.read(settingsText, name: Self.settings).configuration
        guard configuration.roles.publicURL == url, configuration.listen == wanted.listen,
            configuration.tlsCertificate == wanted.tlsCertificate, configuration.tlsKey == wanted.tlsKey,
            configuration.tlsCopies == wanted.tlsCopies,
            configuration.selfSigned == wanted.selfSigned, configuration.proxies.hasSameUsers(as: wanted.proxies)
        else {
            throw ServerError(
                .configuration, "another file in /etc/mpin sets public_url, listen, tls_cert, tls_key or trusted_proxy",
                hint: "Delete these settings there, and run setup again.\nFind them: "
                    + "grep -nE '^(public_url|listen|tls_|trusted)' /etc/mpin/server.conf /etc/mpin/server.conf.d/*")
        }
    }

    private func restart(_ program: AccountProgram) throws(ServerError) {
        let restarted = try SystemCommand("/usr/bin/systemctl", "restart", SetupCommand.unit).run()
        guard restarted.status == 0, try program.isAnswered(within: 30) else {
            let reason = ServiceFailure.reason.map { ": \($0)" } ?? ""
            throw ServerError(
                .unavailable,
                "the server does not start with the public address\(reason). Its settings are as before.",
                hint: "See: sudo journalctl -u \(SetupCommand.unit)")
        }
        if let closed = try program.closedAddress(within: 5) {
            throw ServerError(.unavailable, "\(closed). The server's settings are as before.")
        }
    }

    private typealias Files = (settings: String?, dropIn: String?)

    /// Replaces the files. If that is interrupted, the server still starts: it then listens on its socket alone.
    private static func change(to new: Files) throws(ServerError) {
        // Only settings with files use them, and the start of the server makes them.
        for name in ["tls.crt", "tls.key"] { try SetupFile.remove("\(copies)/\(name)") }
        try write(new.dropIn, to: dropIn)
        try SystemCommand.reloadUnits(dropIn)
        try write(new.settings, to: settings)
    }

    private static func write(_ text: String?, to path: String) throws(ServerError) {
        guard let text else { return try SetupFile.remove(path) }
        try SetupFile.make(directory: FileName.parent(of: path))
        try SetupFile.write(text, to: path, .replacing)
    }

    private static func read(_ path: String) -> String? {
        SystemFile.load(path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func address(_ settings: String) -> String? {
        ConfigurationFile.read(settings, name: Self.settings).configuration.roles.publicURL
    }
}

/// The options of `setup` for an address that other machines use.
struct PublicAddressOptions: ParsableArguments {
    @Option(
        name: .customLong("public-url"),
        help: .value("url", "Address for other machines, https://HOST[:PORT]."))
    var publicURL: String?

    @Option(
        name: .customLong("tls-cert"), help: .value("file", "PEM file with the certificate chain for --public-url."),
        completion: .file()) var certificate: String?

    @Option(name: .customLong("tls-key"), help: .value("file", "PEM file with its private key."), completion: .file())
    var key: String?

    @Option(
        name: .customLong("behind-proxy"),
        help: .value("user", "The user that a TLS proxy of this host runs as."),
        completion: .accounts) var proxy: String?

    @Flag(help: "Let the server make and renew its certificate.") var selfSigned = false

    var words: [String] {
        [("--public-url", publicURL), ("--tls-cert", certificate), ("--tls-key", key), ("--behind-proxy", proxy)]
            .flatMap { name, value in value.map { [name, $0] } ?? [] } + (selfSigned ? ["--self-signed"] : [])
    }

    func address() throws(ServerError) -> PublicAddress? {
        let way: PublicAddress.Way
        switch (certificate, key, proxy, selfSigned) {
        case (nil, nil, let proxy?, false): way = .proxy(try ProxyAccount(proxy))
        case (let certificate?, let key?, nil, false): way = .tls(certificate: certificate, key: key)
        case (nil, nil, nil, true): way = .selfSigned
        case (nil, nil, nil, false) where publicURL == nil: return nil
        case (_, _, _?, true):
            throw ServerError(
                .usage, "behind a proxy, clients see the proxy's certificate, so --self-signed has no effect",
                hint: "See: mpin-server setup --help")
        default:
            throw ServerError(
                .usage, "--public-url needs one of: --self-signed, --tls-cert with --tls-key, --behind-proxy",
                hint: "See: mpin-server setup --help")
        }
        guard let publicURL else {
            throw ServerError(.usage, "no --public-url given", hint: "See: mpin-server setup --help")
        }
        guard try SetupCommand.hasUnit() else {
            throw ServerError(
                .configuration, "--public-url requires systemd and \(SetupCommand.unit)",
                hint: "Nothing was changed. Set public_url, listen and tls_cert or trusted_proxy in "
                    + "/etc/mpin/server.conf, and restart the server.\nSee: man mpin-server.conf")
        }
        return try PublicAddress(publicURL, way)
    }
}
