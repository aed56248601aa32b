// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

@Suite struct InitializationTests {
    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test(.onSQLite) func `everything is closed to others`() throws {
        let fixture = try Fixture()
        #expect(try mode(fixture.path) == 0o700)
        for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.path) {
            #expect(try mode("\(fixture.path)/\(name)") & 0o077 == 0, "\(name)")
        }
    }

    @Test func `a second initialization is refused and changes nothing`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let key = try Data(contentsOf: URL(fileURLWithPath: fixture.path + "/state/seal.key"))
        #expect { try Initialization.run(ServerDirectory(fixture.path), publicURL: nil, actor: "test") } throws: {
            ($0 as? ServerError)?.kind == .cannotCreate
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path + "/state/seal.key")) == key)
        try fixture.restart()
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a directory in use for something else is left alone`() throws {
        let path = NSTemporaryDirectory() + "mpin-server-used-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data().write(to: URL(fileURLWithPath: path + "/file"))
        #expect {
            try Initialization.run(ServerDirectory(path), publicURL: nil, actor: "test")
        } throws: { ($0 as? ServerError)?.kind == .cannotCreate }
        #expect(try mode(path) == 0o755)
        try FileManager.default.removeItem(atPath: path + "/file")
        try Data("hold_unverified = no\n".utf8).write(to: URL(fileURLWithPath: path + "/server.conf"))
        _ = try Initialization.run(ServerDirectory(path), publicURL: nil, actor: "test")
        #expect(try mode(path) == 0o700)
    }

    @Test(.onSQLite) func `a directory or key open to others is refused`() throws {
        let fixture = try Fixture()
        for name in ["", "/state/seal.key", "/state/mpin.sqlite"] {
            let path = fixture.path + name
            let before = try mode(path)
            try FileManager.default.setAttributes([.posixPermissions: before | 0o004], ofItemAtPath: path)
            #expect { try fixture.restart() } throws: { ($0 as? ServerError)?.kind == .configuration }
            try FileManager.default.setAttributes([.posixPermissions: before], ofItemAtPath: path)
        }
        try fixture.restart()
    }

    @Test(.onSQLite) func `a lost database is restored, and its key is kept`() throws {
        let fixture = try Fixture()
        for name in ["mpin.sqlite", "mpin.sqlite-wal", "mpin.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: "\(fixture.path)/state/\(name)")
        }
        let key = fixture.path + "/state/seal.key"
        let before = try Data(contentsOf: URL(fileURLWithPath: key))
        #expect(try Program.run(["init", "--dir", fixture.path]).code == 73)
        for arguments in [["serve", "--listen", "127.0.0.1:0"], ["user", "list"]] {
            let result = try Program.run(arguments + ["--dir", fixture.path])
            #expect(result.code == 78 && result.errors.contains("mpin.sqlite does not exist"), "\(result.errors)")
            #expect(result.errors.contains("mpin-server restore FILE --dir \(fixture.path)"), "\(result.errors)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: key)) == before)
    }

    @Test func `another key does not open the shares`() throws {
        let fixture = try Fixture()
        let path = fixture.path + "/state/seal.key"
        var key = try Data(contentsOf: URL(fileURLWithPath: path))
        key[0] ^= 1
        try key.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect { try fixture.restart() } throws: { ($0 as? ServerError)?.kind == .configuration }
    }

    @Test(arguments: [
        "nonsense", "unknown_key = 1", "hold_unverified = perhaps", "max_invalid_login_attempts = 0",
        "max_recent_wrong_attempts = 0", "max_recent_wrong_attempts = x",
        "hold_unverified = yes\nholdUnverified = no", "public_url = ftp://x", "public_url = http://example.org",
        "[section]", "log_format = xml", "status_socket = relative",
    ])
    func `a configuration that is not understood is refused with its line`(_ text: String) throws {
        #expect { try ConfigurationFile.parse("# first\n" + text, name: "server.conf") } throws: { error in
            guard let fault = error as? ServerError else { return false }
            return fault.kind == .configuration && fault.message.contains("server.conf:")
        }
    }

    @Test func `addresses to listen on`() throws {
        #expect(try ListenAddress("unix:/run/x.sock") == .unix(path: "/run/x.sock"))
        #expect(try ListenAddress("127.0.0.1:0").isLocal)
        #expect(try ListenAddress("[::1]:8443").isLocal)
        #expect(try ListenAddress("localhost:80") == .tcp(host: "127.0.0.1", port: 80))
        #expect(try !ListenAddress("0.0.0.0:443").isLocal)
        #expect(try !ListenAddress("192.0.2.1:443").isLocal)
        for text in ["", "x", "unix:", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "example.org:80", "127.0.0.1:-1"] {
            #expect(throws: ServerError.self) { try ListenAddress(text) }
        }
        #expect(throws: ServerError.self) { try ListenAddress("unix:/" + String(repeating: "x", count: 107)) }
    }

    @Test func `an interrupted init is begun again, and a used key is kept`() throws {
        let path = NSTemporaryDirectory() + "mpin-init-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = ServerDirectory(path)
        _ = try Initialization.run(directory, publicURL: nil, actor: "test")
        let files = { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
        let whole = try files()
        // As it is before the last step.
        let key = try Data(contentsOf: URL(filePath: path + "/state/seal.key"))
        try FileManager.default.moveItem(atPath: path + "/state", toPath: path + "/state.new")
        _ = try Initialization.run(directory, publicURL: nil, actor: "test")
        #expect(try files() == whole)
        let next = try Data(contentsOf: URL(filePath: path + "/state/seal.key"))
        #expect(next != key)
        _ = try LoginServer(directory)
        // A database that was lost is another thing.
        try FileManager.default.removeItem(atPath: path + "/state/mpin.sqlite")
        #expect(throws: ServerError.self) { try Initialization.run(directory, publicURL: nil, actor: "test") }
        #expect(try Data(contentsOf: URL(filePath: path + "/state/seal.key")) == next)
    }
}
