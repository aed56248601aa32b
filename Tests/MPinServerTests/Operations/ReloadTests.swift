// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// Settings that change while a server runs.
@Suite(.serialized) struct ReloadTests {
    @Test func `new settings apply to the next request, and what was begun continues`() throws {
        let (server, alice) = try RunningServer.enrolled(configuration: "max_invalid_login_attempts = 3\n")
        let begun = try Login(alice, at: server.peer)
        let waiting = try Waiting(at: server.peer)
        #expect(try server.peer.get("/").headers["strict-transport-security"] == nil)
        try server.reload(
            """
            max_invalid_login_attempts = 1
            public_url = https://login.example.org
            service_name = Our house
            hold_unverified = yes
            """)
        #expect(
            becomes {
                server.logText.contains(
                    "now in effect: public_url, service_name, max_invalid_login_attempts, hold_unverified")
            })
        #expect(!server.logText.contains("take effect after a restart"))
        let settings = try server.peer.get("/rps/clientSettings")
        #expect(settings.text.contains("https://login.example.org/rps/user"))
        for path in ["/", "/nothing", "/rps/clientSettings"] {
            #expect(try server.peer.get(path).headers["strict-transport-security"] == "max-age=31536000")
        }
        #expect(try server.peer.get("/").text.contains("Our house"))
        #expect(try server.peer.put("/rps/user", ["userId": "held", "mobile": 1]).status == 200)
        #expect(try begun.finish(at: server.peer).status == 200)
        #expect(try waiting.status(at: server.peer) == "new")
        #expect(try alice.login(pin: "9999", at: server.peer).status == 410)
        #expect(try alice.login(at: server.peer).status == 410)
    }

    @Test func `an invalid file changes nothing, and each problem is logged with its line`() throws {
        let server = try RunningServer(configuration: "max_invalid_login_attempts = 1\n")
        let file = server.directory + "/server.conf"
        let alice = try server.enroll("alice")
        try server.reload("max_invalid_login_attempts = 9\nnonsense\nservice_name = x\nmail_from = 1\n")
        for fault in [":2: expected 'key = value'", ":4: '"] {
            #expect(
                becomes { server.logText.contains("keeping the previous configuration: \(file)\(fault)") }, "\(fault)")
        }
        // One that can be read and cannot be used.
        try server.reload("max_invalid_login_attempts = 9\nverify = hook\n")
        #expect(becomes { server.logText.contains("keeping the previous configuration: 'verify = hook' needs") })
        try FileManager.default.removeItem(atPath: file)
        kill(server.processIdentifier, SIGHUP)
        #expect(becomes { server.logText.contains("keeping the previous configuration: \(file) no longer exists") })
        #expect(try alice.login(pin: "9999", at: server.peer).status == 410)
        #expect(server.stop() == 0)
    }

    @Test func `a file that others can write is refused, at the start and later`() throws {
        let server = try RunningServer(configuration: "max_invalid_login_attempts = 1\n")
        let file = server.directory + "/server.conf"
        let alice = try server.enroll("alice")
        try Data("max_invalid_login_attempts = 9\n".utf8).write(to: URL(fileURLWithPath: file))
        #expect(chmod(file, 0o660) == 0)
        kill(server.processIdentifier, SIGHUP)
        #expect(
            becomes {
                server.logText.contains(
                    "keeping the previous configuration: \(file) is writable by users other than its owner")
            })
        #expect(try alice.login(pin: "9999", at: server.peer).status == 410)
        #expect(server.stop() == 0)
        let other = server.directory + "/other.conf"
        try Data().write(to: URL(fileURLWithPath: other))
        #expect(chmod(other, 0o602) == 0)
        for options in [[], ["--config", other]] {
            let refused = try Program.run(
                ["serve", "--dir", server.directory, "--listen", "unix:\(server.socket)"] + options)
            #expect(refused.code == 78 && refused.errors.contains("run: chmod go-w \(options.last ?? file)"))
        }
        #expect(try server.command("user", "list").code == 78)
        #expect(chmod(file, 0o644) == 0)
        #expect(try server.command("user", "list").code == 0)
    }

    @Test func `a change that needs a restart is named, and applies after it`() throws {
        let server = try RunningServer()
        try server.reload("session_ttl = 60\nmax_connections = 100\naudit_days = 7\n")
        let told = "max_connections, session_ttl will take effect after a restart of the server"
        #expect(becomes { server.logText.contains(told) })
        #expect(server.logText.contains("now in effect: audit_days"))
        #expect(server.stop() == 0)
        try server.start()
        kill(server.processIdentifier, SIGHUP)
        #expect(becomes { server.logText.contains("reloaded the configuration; no setting has changed") })
        #expect(!server.logText.contains("take effect after a restart"))
    }

    @Test func `settings that are read again reset no counts`() throws {
        let server = try RunningServer(
            configuration: "hold_unverified = yes\nfailures_per_source = 2\nfailure_refill_seconds = 3600\n")
        let begin = { try server.peer.put("/rps/user", ["userId": "alice", "mobile": 1]).status }
        #expect(try [begin(), begin(), begin()] == [200, 200, 429])
        try server.reload(
            "hold_unverified = yes\nfailures_per_source = 2\nfailure_refill_seconds = 3600\nservice_name = x\n")
        #expect(becomes { server.logText.contains("now in effect: service_name") })
        #expect(try begin() == 429)
    }

    @Test func `SIGHUP in the middle of a start ends nothing`() throws {
        let server = try RunningServer(starts: false)
        let process = Process()
        process.executableURL = try URL(fileURLWithPath: Program.path)
        process.arguments = ["serve", "--dir", server.directory, "--listen", "unix:\(server.socket)"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // While it has the lock, it opens the database and makes its keys.
        let files = "/proc/\(process.processIdentifier)/fd"
        let end = ContinuousClock.now + .seconds(120)
        var holdsLock = false
        while !holdsLock, ContinuousClock.now < end {
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []
            holdsLock = numbers.contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)"))
                    == server.directory + "/serve.lock"
            }
        }
        #expect(holdsLock)
        for _ in 0..<5 { kill(process.processIdentifier, SIGHUP) }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line.hasPrefix("mpin-server: ready"))
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    @Test func `start and stop are in the audit log, with version and listener`() throws {
        let server = try RunningServer()
        #expect(server.stop() == 0)
        let events = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        #expect(events.compactMap { $0["event"] as? String } == ["init", "start", "stop"])
        #expect(
            events.dropFirst().compactMap { $0["detail"] as? String } == [
                "version \(ListeningServer.version) on unix:\(server.socket)", "version \(ListeningServer.version)",
            ])
        #expect(events.last?["actor"] as? String == String(cString: getpwuid(geteuid()).pointee.pw_name))
    }
}
