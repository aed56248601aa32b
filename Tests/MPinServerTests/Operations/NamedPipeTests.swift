// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// Named pipes instead of the files that a server reads. A process that opens one waits for its other end.
@Suite(.serialized) struct NamedPipeTests {
    private func replace(_ path: String) {
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
    }

    @Test(arguments: ["server.conf", "password"])
    func `a reload continues without it, and the server still ends`(file: String) throws {
        let server = try RunningServer()
        let path = "\(server.directory)/\(file)"
        replace(path)
        if file == "password" {
            let settings = """
                verify = mail
                public_url = https://login.example.org
                smtp_url = smtp://127.0.0.1:1
                mail_from = login@example.org
                smtp_password_file = \(path)\n
                """
            try Data(settings.utf8).write(to: URL(fileURLWithPath: server.directory + "/server.conf"))
        }
        kill(server.processIdentifier, SIGHUP)
        #expect(
            becomes { server.logText.contains("keeping the previous configuration: \(path) is not a regular file") },
            "\(server.logText)")
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
        kill(server.processIdentifier, SIGTERM)
        #expect(becomes(seconds: 60) { !server.isRunning })
    }

    @Test(arguments: [
        "server.conf", "serve.lock", "state/seal.key", "state/mpin.sqlite", "state/mpin.sqlite-journal",
        "state/mpin.sqlite-wal",
    ])
    func `a start is refused`(file: String) throws {
        let server = try RunningServer(starts: false)
        replace("\(server.directory)/\(file)")
        let started = try serve(server)
        #expect(started.code == 78, "\(started.code)")
        #expect(started.errors.contains("\(file) is not a regular file"), "\(started.errors)")
    }

    @Test(arguments: ["--tls-cert", "--tls-key"])
    func `a start with one for TLS is refused`(option: String) throws {
        let server = try RunningServer(starts: false)
        let path = server.directory + "/pipe"
        replace(path)
        let other = server.directory + "/state/seal.key"
        let files = ["--tls-cert", "--tls-key"].flatMap { [$0, $0 == option ? path : other] }
        let started = try serve(server, listen: "127.0.0.1:0", files)
        #expect(started.code == 69, "\(started.code)")
        #expect(started.errors.contains("\(path) is not a regular file"), "\(started.errors)")
    }

    /// Starts a server that is to refuse; one that hangs is ended.
    private func serve(
        _ server: RunningServer, listen: String? = nil, _ options: [String] = []
    ) throws -> Program.Result {
        let listen = listen ?? "unix:\(server.socket)"
        return try Program.run(
            at: "/usr/bin/timeout",
            ["-s", "KILL", "60", Program.path, "serve", "--dir", server.directory, "--listen", listen] + options)
    }
}
