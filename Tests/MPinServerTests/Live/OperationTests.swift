// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// What happens to a server between its start and its end, apart from requests.
@Suite(.serialized) struct OperationTests {
    @Test(.enabled(if: getuid() == 0))
    func `a server that root has run once still runs as its own user`() throws {
        let server = try RunningServer()
        _ = server.stop()
        #expect(try Program.run(at: "/bin/chown", ["-R", "65534:65534", server.directory]).code == 0)
        let lock = server.directory + "/serve.lock"
        let owner = { try FileManager.default.attributesOfItem(atPath: lock)[.ownerAccountID] as? Int }
        try FileManager.default.removeItem(atPath: lock)
        try server.start()
        #expect(try owner() == 65_534)
        #expect(server.stop() == 0)
        // A file that was left there is reported, with what to do.
        #expect(try Program.run(at: "/bin/chown", ["root:root", lock]).code == 0)
        let result = try Program.run(
            at: "/usr/bin/setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", Program.path, "serve", "--dir", server.directory,
                "--listen", "127.0.0.1:0",
            ])
        #expect(result.code == 77)
        #expect(result.errors.contains("Run: sudo chown --reference=\(server.directory) \(lock)"))
    }

    @Test(.enabled(if: getuid() == 0))
    func `root gives away no file of its own that replaced the lock`() throws {
        let server = try RunningServer()
        _ = server.stop()
        let own = server.directory + ".own"
        defer { unlink(own) }
        FileManager.default.createFile(atPath: own, contents: nil, attributes: [.posixPermissions: 0o600])
        #expect(try Program.run(at: "/bin/chown", ["-R", "65534:65534", server.directory]).code == 0)
        let lock = server.directory + "/serve.lock"
        #expect(unlink(lock) == 0 && link(own, lock) == 0)
        try server.start()
        let owner = { try FileManager.default.attributesOfItem(atPath: $0)[.ownerAccountID] as? Int }
        #expect(try owner(own) == 0)
        // The owner can use all other files.
        for name in ["mpin.sqlite", "mpin.sqlite-wal", "mpin.sqlite-shm"] {
            #expect(try owner("\(server.directory)/\(name)") == 65_534, "\(name)")
        }
        #expect(server.stop() == 0)
    }

    @Test func `SIGHUP ends nothing, and reports problems of the configuration`() throws {
        let server = try RunningServer()
        let file = URL(fileURLWithPath: server.directory + "/server.conf")
        kill(server.processIdentifier, SIGHUP)
        #expect(becomes { server.logText.contains("reloaded the configuration") })
        try Data("nonsense = 1\n".utf8).write(to: file)
        kill(server.processIdentifier, SIGHUP)
        #expect(
            becomes {
                server.logText.contains("keeping the previous configuration: \(file.path):1: unknown key 'nonsense'")
            })
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
        #expect(server.stop() == 0)
    }

    @Test(arguments: [("public_url = https://login.example.org\n", true), ("", false)])
    func `browsers are sent to TLS where they can use it`(_ configuration: String, _ isTold: Bool) throws {
        let server = try RunningServer(configuration: configuration)
        for path in ["/", "/nothing", "/rps/clientSettings"] {
            let told = try server.peer.get(path).headers["strict-transport-security"]
            #expect(told == (isTold ? "max-age=31536000" : nil))
        }
    }
}
