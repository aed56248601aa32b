// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// The https side of the client against a real TLS peer in front of the real server.
    @Suite struct TLSTests {
        /// stunnel with a certificate for a name, passing everything on to the machine's socket.
        final class Peer: ServerAddress {
            private(set) var port = 0
            let certificate: String
            private var process: Background?

            init(_ machine: Machine, name: String, subject: String = "localhost", dates: [String]? = nil) throws {
                let base = machine.directory + "/" + name
                certificate = base + ".pem"
                try Peer.make(certificate, key: base + ".key", subject, dates, machine)
                // Below the ports that the kernel gives to others' connections; another one where it is taken even so.
                for _ in 0..<5 {
                    port = Int.random(in: 20_000..<32_000)
                    try start(machine, configuration: base + ".conf", key: base + ".key", name: name)
                    becomes { process?.isRunning != true || reachable }
                    if process?.isRunning == true { break }
                }
                try #require(process?.isRunning == true && reachable)
            }

            private func start(_ machine: Machine, configuration: String, key: String, name: String) throws {
                try machine.write(
                    """
                    foreground = yes
                    pid =
                    [m]
                    accept = 127.0.0.1:\(port)
                    connect = \(machine.socket)
                    cert = \(certificate)
                    key = \(key)

                    """, to: "/\(name).conf")
                process = try Background(["/usr/bin/stunnel4", configuration])
            }

            /// Makes a certificate that is its own authority.
            private static func make(
                _ certificate: String, key: String, _ subject: String, _ dates: [String]?, _ machine: Machine
            ) throws {
                func call(_ arguments: [String]) throws {
                    let made = try Run("/usr/bin/openssl", arguments)
                    try #require(made.status == 0, "\(made.errors)")
                }
                guard let dates else { return try Certificate.make(certificate, key: key, for: subject) }
                // Only this command takes other days than the next ones.
                let directory = machine.directory + "/authority"
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                try machine.write(
                    """
                    [ca]
                    default_ca = own
                    [own]
                    database = \(directory)/index
                    serial = \(directory)/serial
                    new_certs_dir = \(directory)
                    default_md = sha256
                    policy = subject
                    copy_extensions = copy
                    [subject]
                    commonName = supplied

                    """, to: "/authority/configuration")
                try machine.write("", to: "/authority/index")
                try machine.write("01\n", to: "/authority/serial")
                try call(["req", "-new", "-out", directory + "/request"] + Certificate.request(key, for: subject))
                try call([
                    "ca", "-batch", "-config", directory + "/configuration", "-selfsign", "-keyfile", key, "-in",
                    directory + "/request", "-out", certificate, "-startdate", dates[0], "-enddate", dates[1],
                    "-notext",
                ])
                try #require(chmod(certificate, 0o600) == 0)
            }

            private var reachable: Bool {
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(descriptor) }
                return SocketAddress.loopback(port: port).pass { connect(descriptor, $0, $1) } == 0
            }

            var url: String { "https://localhost:\(port)" }
            var authority: String? { certificate }

            /// The hash of the certificate's key, as `tls_pin` takes it.
            func keyHash() throws -> String {
                let run = try Run(
                    "/bin/sh",
                    [
                        "-c",
                        "openssl x509 -in \"$1\" -noout -pubkey | openssl pkey -pubin -outform DER | openssl dgst -sha256 "
                            + "-binary | openssl base64", "sh", certificate,
                    ])
                return "sha256//" + run.output.trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }

        /// Something at a port that speaks no TLS.
        private final class Plain: Sendable {
            let port: Int
            private let listener: Int32

            init?() {
                guard let (listener, port) = SocketAddress.listener() else { return nil }
                (self.listener, self.port) = (listener, port)
                Thread.detachNewThread {
                    while true {
                        let connection = accept(listener, nil, nil)
                        guard connection >= 0 else { return }
                        let answer = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
                        var question = [UInt8](repeating: 0, count: 4096)
                        _ = read(connection, &question, question.count)
                        _ = send(connection, answer, answer.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
                        shutdown(connection, Int32(SHUT_WR))
                        // The rest of the request is read, so that the response is not lost to a TCP reset.
                        while read(connection, &question, question.count) > 0 {}
                        close(connection)
                    }
                }
            }

            deinit {
                shutdown(listener, Int32(SHUT_RDWR))
                close(listener)
            }

            var url: String { "https://localhost:\(port)" }
        }

        /// A machine whose service `tls` logs in over TLS, and the server's end of that.
        static func machineOverTLS() throws -> (Machine, Peer) {
            let machine = try Machine()
            let peer = try Peer(machine, name: "good")
            try machine.register(at: peer)
            try machine.service("tls", at: peer)
            return (machine, peer)
        }

        @Test func `enrolls and logs in over TLS`() throws {
            let machine = try Machine()
            let peer = try Peer(machine, name: "good")
            let run = try machine.enroll("register", "--code", machine.invitation(), at: peer, pin: "4962")
            #expect(run.status == 0, "\(run.errors)")
            // Logins do not read the options of this command.
            #expect(run.all.contains("mpin.conf: ca_file = \(peer.certificate)"), "\(run.all)")
            try machine.service("tls", at: peer)
            #expect(try machine.pam("authenticate", service: "tls", typing: ["4962"]).status == 0)
            #expect(try machine.pam("authenticate", service: "tls", typing: ["4963"]).status != 0)
            // A proxy and a key log that the caller's environment names are not used.
            let hostile = ["http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"].map { ($0, "http://127.0.0.1:1") }
            #expect(
                try machine.pam(
                    "authenticate", service: "tls", typing: ["4962"],
                    environment: Dictionary(uniqueKeysWithValues: hostile)
                ).status == 0)
        }

        @Test func `a pinned key of the certificate is required`() throws {
            let machine = try Machine()
            let (good, other) = (try Peer(machine, name: "good"), try Peer(machine, name: "other"))
            try machine.write(
                "[server]\ntimeout = 60\ntls_pin = \(other.keyHash());\(good.keyHash())\n", to: "/mpin.conf")
            try machine.register(at: good)
            for (pin, isRight) in [(try good.keyHash(), true), (try other.keyHash(), false)] {
                try machine.service("tls", machine.module("tls_pin=\(pin)", at: good))
                let login = try machine.pam("authenticate", service: "tls", typing: ["4962"])
                #expect(login.all.contains(isRight ? PAMText.success : PAMText.unavailable), "\(login.all)")
            }
        }

        @Test func `refuses servers that cannot prove themselves`() throws {
            let machine = try Machine()
            let good = try Peer(machine, name: "good")
            let other = try Peer(machine, name: "other")
            let elsewhere = try Peer(machine, name: "elsewhere", subject: "example.org")
            let code = try machine.invitation()
            // The wrong authority, the wrong name, and no authority at all.
            let expired = try Peer(machine, name: "expired", dates: ["200101000000Z", "200102000000Z"])
            let early = try Peer(machine, name: "early", dates: ["480101000000Z", "480102000000Z"])
            let plain = try #require(Plain())
            for (server, authority, reason) in [
                (good.url, other.certificate, "Neither a trusted CA nor the server's key"),
                (elsewhere.url, elsewhere.certificate, "is for another host name"),
                (good.url, nil, "Neither a trusted CA nor the server's key"),
                (expired.url, expired.certificate, "certificate expired at 2020-01-02T00:00:00Z."),
                (early.url, early.certificate, "certificate is valid only from 2048-01-01T00:00:00Z."),
                (plain.url, good.certificate, "does not use TLS on this port"),
            ] {
                let trust = authority.map { ["--ca-file", $0] } ?? []
                let run = try Run(
                    Products.enroll,
                    [
                        "register", "--server", server, "--code", code, "--store", machine.store, "--user",
                        machine.account,
                    ]
                        + ["--identity", "alice", "--no-input", "--pin-file", "-", "--timeout", "60"] + trust,
                    input: "4962")
                #expect(run.status == 69, "\(run.errors)")
                #expect(run.errors.contains(server) && run.errors.contains(reason), "\(run.errors)")
            }
            #expect(try machine.enroll("register", "--code", code, at: good, pin: "4962").status == 0)
        }

        @Test func `a new PIN may take longer than an idle connection lasts`() throws {
            let machine = try Machine()
            let peer = try TLSTests.Peer(machine, name: "idle")
            try machine.register(at: peer)
            let terminal = try Terminal(Products.enroll, machine.call("change-pin", at: peer))
            terminal.answer("PIN for", "4962")
            #expect(terminal.shows("New PIN for"), "\(terminal.screen)")
            // The server closes the connection after 15 seconds.
            sleep(18)
            terminal.type("7385")
            terminal.answer("Retype the ", "7385")
            #expect(terminal.end() == 0, "\(terminal.screen)")
        }
    }
}
