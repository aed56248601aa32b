// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rotate`: another sealing key.
@Suite(.serialized) struct RotationTests {
    private func key(_ server: RunningServer) throws -> Data {
        try Data(contentsOf: URL(filePath: server.directory + "/state/seal.key"))
    }

    @Test func `enrollments, invitations and hosts outlive two rotations, and the old key opens nothing`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let codes = try (0..<3).map { try server.command("invite", "user\($0)").object["code"] as? String ?? "" }
        let secret = try server.command("host", "add", "gate").object["secret"] as? String ?? ""
        var host = server.peer
        host.headers = ["Authorization: Bearer \(secret)"]
        #expect(try server.command("rotate").code == 69)
        let fingerprint = try server.command("fingerprint").output
        let named = try server.invite("device")
        let keys = try [key(server)]
        for round in 0..<2 {
            #expect(server.stop() == 0)
            let rotated = try server.command("rotate")
            #expect(rotated.object["ok"] as? Bool == true, "\(rotated.output)")
            let former = try #require(rotated.object["formerKey"] as? String)
            if round == 0 { #expect(try Data(contentsOf: URL(filePath: former)) == keys[0]) }
            #expect(try key(server) != keys[0])
            let mode = try FileManager.default.attributesOfItem(atPath: server.directory + "/state/seal.key")
            #expect(mode[.posixPermissions] as? Int == 0o600)
            try server.start()
            #expect(try alice.login(at: server.peer).status == 200)
            #expect(try alice.login(pin: "9999", at: server.peer).status == 401)
            #expect(try host.post("/rps/getAccessNumber", [:] as [String: Any]).status == 200)
            let invited = try ClientRegistration.register("user\(round)", code: codes[round], at: server.peer)
            #expect(try invited.login(at: server.peer).status == 200)
            // A code is good once, under whichever key.
            #expect(throws: ClientRegistration.Failed.self) {
                try ClientRegistration.register("user\(round)", code: codes[round], at: server.peer)
            }
            #expect(try server.enroll("new\(round)").login(at: server.peer).status == 200)
        }
        // The server's own key is sealed again, and the codes of clients with a device key stay good by their names.
        #expect(try server.command("fingerprint").output == fingerprint)
        let device = try Device.register(
            "device", code: named, key: DeviceSecret(), at: server.peer,
            now: { Int64(Date().timeIntervalSince1970 * 1_000) })
        #expect(try device.login(at: server.peer).status == 200)
        #expect(server.stop() == 0)
        let now = try key(server)
        try keys[0].write(to: URL(filePath: server.directory + "/state/seal.key"))
        let refused = try Program.run(["serve", "--dir", server.directory, "--listen", "unix:\(server.socket)"])
        #expect(refused.code == 78 && refused.errors.contains("does not open the master share"))
        try now.write(to: URL(filePath: server.directory + "/state/seal.key"))
        let audit = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        #expect(audit.count { $0["event"] as? String == "rotate" } == 2)
    }

    @Test func `a rotation that is killed anywhere leaves a server that opens`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let code = try server.command("invite", "bob").object["code"] as? String ?? ""
        for milliseconds in stride(from: 10, through: 250, by: 8) {
            #expect(server.stop() == 0)
            _ = try Program.run(
                at: "/usr/bin/timeout",
                [
                    "-s", "KILL", "0.\(String(format: "%03d", milliseconds))", Program.path, "rotate", "--dir",
                    server.directory,
                ])
            try server.start()
            #expect(try alice.login(at: server.peer).status == 200)
        }
        #expect(
            try ClientRegistration.register("bob", code: code, at: server.peer).login(at: server.peer).status == 200)
    }

    @Test func `between database and file the key beside it is taken, and a stale one is not`() throws {
        let (server, alice) = try RunningServer.enrolled()
        #expect(server.stop() == 0)
        let path = server.directory + "/state/seal.key"
        let rotated = try server.command("rotate")
        let former = try #require(rotated.object["formerKey"] as? String)
        // The state after the database has changed, and before the file has.
        #expect(rename(path, path + ".next") == 0 && rename(former, path) == 0)
        let right = try Data(contentsOf: URL(filePath: path + ".next"))
        #expect(try server.command("backup", server.directory + "/copy", "--with-key").code == 0)
        #expect(try Data(contentsOf: URL(filePath: server.directory + "/copy.key")) == right)
        #expect(try key(server) == right && access(path + ".next", F_OK) != 0)
        // The state before the database has changed.
        try Data(repeating: 7, count: 32).write(to: URL(filePath: path + ".next"))
        try server.start()
        #expect(try key(server) == right)
        #expect(try alice.login(at: server.peer).status == 200)
        #expect(server.stop() == 0)
        #expect(try server.command("rotate").code == 0)
        #expect(access(path + ".next", F_OK) != 0)
    }
}
