// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// The https side of the client against a real TLS peer in front of the real server.
    @Suite struct TLSTests {
        /// stunnel with a certificate for a name, passing everything on to the machine's socket.
        final class Peer {
            private(set) var port = 0
            let certificate: String
            private var process = Process()

            init(_ machine: Machine, name: String, subject: String = "localhost", isExpired: Bool = false) throws {
                let base = machine.directory + "/" + name
                certificate = base + ".pem"
                try Peer.make(certificate, key: base + ".key", subject, isExpired: isExpired, machine)
                // Below the ports that the kernel gives to others' connections; another one where it is taken even so.
                for _ in 0..<5 {
                    port = Int.random(in: 20_000..<32_000)
                    try start(machine, configuration: base + ".conf", key: base + ".key", name: name)
                    for _ in 0..<600 where process.isRunning && !reachable { usleep(50_000) }
                    if process.isRunning { break }
                }
                try #require(process.isRunning && reachable)
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
                process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/stunnel4")
                process.arguments = [configuration]
                process.standardError = FileHandle.nullDevice
                try process.run()
            }

            /// Makes a certificate that is its own authority.
            private static func make(
                _ certificate: String, key: String, _ subject: String, isExpired: Bool, _ machine: Machine
            ) throws {
                func call(_ arguments: [String]) throws {
                    let made = try Run("/usr/bin/openssl", arguments)
                    try #require(made.status == 0, "\(made.errors)")
                }
                let request = [
                    "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(subject)",
                    "-addext",
                    "subjectAltName=DNS:\(subject)", "-keyout", key,
                ]
                guard isExpired else {
                    return try call(["req", "-x509", "-days", "2", "-out", certificate] + request)
                }
                // Only this one takes days of the past.
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
                try call(["req", "-new", "-out", directory + "/request"] + request)
                try call([
                    "ca", "-batch", "-config", directory + "/configuration", "-selfsign", "-keyfile", key, "-in",
                    directory + "/request", "-out", certificate, "-startdate", "200101000000Z", "-enddate",
                    "200102000000Z", "-notext",
                ])
                try #require(chmod(certificate, 0o600) == 0)
            }

            deinit {
                // For a process that was never started the id 0 would signal the whole group.
                guard process.isRunning else { return }
                // It takes termination only between connections.
                Glibc.kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }

            private var reachable: Bool {
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(descriptor) }
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = in_port_t(port).bigEndian
                address.sin_addr.s_addr = inet_addr("127.0.0.1")
                return withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
            }

            var url: String { "https://localhost:\(port)" }

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
            let port: UInt16
            private let listener: Int32

            init?() {
                listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = inet_addr("127.0.0.1")
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let listener = listener
                let isBound = withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(listener, $0, length) == 0 && listen(listener, 5) == 0
                            && getsockname(listener, $0, &length) == 0
                    }
                }
                port = in_port_t(bigEndian: address.sin_port)
                guard isBound else { return nil }
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

        private func enroll(_ machine: Machine, _ command: String, _ arguments: [String], pin: String) throws -> Run {
            try Run(
                Products.enroll,
                [command] + arguments + [
                    "--store", machine.store, "--user", machine.account, "--identity", "alice", "--config",
                    machine.directory + "/mpin.conf", "--no-input", "--pin-file", "-", "--timeout", "20",
                ], input: pin)
        }

        @Test func `enrolls and logs in over TLS`() throws {
            let machine = try Machine()
            let peer = try Peer(machine, name: "good")
            let run = try enroll(
                machine, "register",
                ["--server", peer.url, "--ca-file", peer.certificate, "--code", machine.invitation()],
                pin: "4962")
            #expect(run.status == 0, "\(run.errors)")
            // Logins do not read the options of this command.
            #expect(run.all.contains("mpin.conf: ca_file = \(peer.certificate)"), "\(run.all)")
            try machine.service(
                "tls",
                "\(Products.module) method=pin conf=\(machine.directory)/mpin.conf store=\(machine.store) server=\(peer.url) "
                    + "ca_file=\(peer.certificate) timeout=20")
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
            try machine.write("[server]\ntls_pin = \(other.keyHash());\(good.keyHash())\n", to: "/mpin.conf")
            let run = try enroll(
                machine, "register",
                ["--server", good.url, "--ca-file", good.certificate, "--code", machine.invitation()], pin: "4962")
            #expect(run.status == 0, "\(run.errors)")
            for (pin, isRight) in [(try good.keyHash(), true), (try other.keyHash(), false)] {
                try machine.service(
                    "tls",
                    "\(Products.module) method=pin conf=\(machine.directory)/mpin.conf store=\(machine.store) "
                        + "server=\(good.url) ca_file=\(good.certificate) timeout=20 tls_pin=\(pin)")
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
            let expired = try Peer(machine, name: "expired", isExpired: true)
            let plain = try #require(Plain())
            for (server, authority, reason) in [
                (good.url, other.certificate, "issuer of the server's certificate is not trusted"),
                (elsewhere.url, elsewhere.certificate, "it is for a different name"),
                (good.url, nil, "issuer of the server's certificate is not trusted"),
                (expired.url, expired.certificate, "has expired"),
                (plain.url, good.certificate, "does not use TLS on this port"),
            ] {
                let trust = authority.map { ["--ca-file", $0] } ?? []
                let run = try enroll(machine, "register", ["--server", server, "--code", code] + trust, pin: "4962")
                #expect(run.status == 69, "\(run.errors)")
                #expect(run.errors.contains(server) && run.errors.contains(reason), "\(run.errors)")
            }
            #expect(
                try enroll(
                    machine, "register", ["--server", good.url, "--ca-file", good.certificate, "--code", code],
                    pin: "4962"
                )
                .status == 0)
        }
    }
}
