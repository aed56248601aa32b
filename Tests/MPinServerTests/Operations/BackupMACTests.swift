// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Testing

/// What an attacker does to a backup on its way.
enum AlteredBackup {
    /// The backup as a server wrote it that could not open its key, or one of an earlier version.
    static func withoutMAC(_ whole: Data) -> Data {
        guard let start = whole.range(of: Data("\nmpin-server backup MAC ".utf8), options: .backwards)?.lowerBound
        else { return whole }
        return whole.prefix(upTo: start)
    }
}

/// The MAC of backups: who makes it, and what is refused without it.
@Suite(.serialized) struct BackupMACTests {
    /// Runs the command that `backup` has printed.
    private func follow(_ output: String) throws -> Program.Result {
        let head = "Restore it, while the server is stopped: "
        let line = try #require(output.split(separator: "\n").last { $0.hasPrefix(head) })
        return try Program.run(
            at: "/bin/bash",
            ["-c", "mpin-server() { \(try Program.path) \"$@\"; }; \(line.dropFirst(head.count))"])
    }

    /// A server whose status socket is open.
    private func served() throws -> (server: RunningServer, status: String) {
        let status = NSTemporaryDirectory() + "mpin-status-" + UUID().uuidString.prefix(8)
        let server = try RunningServer(configuration: "status_socket = \(status)\n")
        #expect(becomes { (try? SocketPeer(path: status).get("/nothing").status) == 404 })
        return (server, status)
    }

    @Test func `an altered backup sends no escape sequences to the terminal`() throws {
        let server = try RunningServer()
        let (file, other) = (server.directory + "/backup", server.directory + "/escapes")
        #expect(try server.command("backup", file).code == 0)
        #expect(server.stop() == 0)
        let plain = AlteredBackup.withoutMAC(try Data(contentsOf: URL(fileURLWithPath: file)))
        for statement in [
            "UPDATE setting SET value = '2026\u{1B}[31m' WHERE value LIKE '20__-__-__T%'",
            "UPDATE setting SET value = '\u{1B}]0;title\u{7}' WHERE name = 'role'",
        ] {
            try plain.write(to: URL(fileURLWithPath: other))
            let queue = try DatabaseQueue(path: other)
            try queue.write { database in
                try database.execute(sql: statement)
                #expect(database.changesCount == 1)
            }
            try queue.close()
            let run = try Program.run(["restore", other, "--dir", server.directory, "--unauthenticated"])
            #expect(run.code != 0 && !(run.output + run.errors).contains("\u{1B}"), "\(run.output)\(run.errors)")
        }
    }

    @Test func `a backup that was altered anywhere is refused before SQLite opens it`() throws {
        let server = try RunningServer()
        _ = try server.enroll("alice")
        let (file, other) = (server.directory + "/backup", server.directory + "/altered")
        #expect(try server.command("backup", file).object["authenticated"] as? Bool == true)
        #expect(server.stop() == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let database = try Data(contentsOf: URL(fileURLWithPath: server.directory + "/state/mpin.sqlite"))
        func expectRefused(_ data: Data, _ words: String, _ options: String...) throws {
            try data.write(to: URL(fileURLWithPath: other))
            let run = try Program.run(["restore", other, "--dir", server.directory] + options)
            #expect(run.code == 65 && run.errors.contains(words), "\(words): \(run.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: server.directory + "/state/mpin.sqlite")) == database)
        }
        // The device of another user. Nothing is added, because a page of SQLite's would replace the MAC.
        try whole.write(to: URL(fileURLWithPath: other))
        let queue = try DatabaseQueue(path: other)
        try queue.write { database in
            try database.execute(sql: "UPDATE registration SET user_id = 'mallo' WHERE user_id = 'alice'")
            #expect(database.changesCount == 1)
        }
        try queue.close()
        try expectRefused(Data(contentsOf: URL(fileURLWithPath: other)), "was altered after mpin-server made it")
        try expectRefused(
            Data(contentsOf: URL(fileURLWithPath: other)), "was altered after mpin-server made it", "--unauthenticated")
        let size = AlteredBackup.withoutMAC(whole).count
        for place in [0, 20, size / 2, size - 1, whole.count - 2] {
            var altered = whole
            // The last one is a digit of the MAC, and stays a hexadecimal digit.
            let zero = UInt8(ascii: "0")
            if place == whole.count - 2 {
                altered[place] = whole[place] == zero ? zero + 1 : zero
            } else {
                altered[place] ^= 0x55
            }
            try expectRefused(altered, "was altered after mpin-server made it")
        }
        // SQLite would not know what this is.
        let garbage = Data(repeating: 7, count: size) + whole.suffix(from: size)
        try expectRefused(garbage, "was altered after mpin-server made it")
        try expectRefused(whole.suffix(from: size), "was altered after mpin-server made it")
        try expectRefused(whole + whole.suffix(from: size), "was altered after mpin-server made it")
        for cut in [1, whole.count - size] { try expectRefused(whole.dropLast(cut), "has no MAC") }
        #expect(try server.command("restore", file).code == 0)
    }

    @Test func `a backup without a MAC is restored by the command that 'backup' prints, and the log tells`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let file = server.directory + "/backup"
        #expect(server.stop() == 0)
        let key = server.directory + "/state/seal.key"
        #expect(rename(key, key + ".away") == 0)
        let made = try Program.run(["backup", file, "--dir", server.directory, "--json"])
        #expect(made.code == 0 && made.object["authenticated"] as? Bool == false, "\(made.errors)")
        #expect(made.errors.contains("has no MAC") && made.errors.contains("\(key) does not exist"), "\(made.errors)")
        let told = try Program.run(["backup", file + ".2", "--dir", server.directory])
        #expect(told.code == 0 && told.output.contains("restore --unauthenticated"), "\(told.output)")
        #expect(!told.output.contains("Keep a copy of"), "\(told.output)")
        #expect(rename(key + ".away", key) == 0)
        let refused = try Program.run(["restore", file, "--dir", server.directory])
        #expect(refused.code == 65 && refused.errors.contains("\(file) has no MAC"), "\(refused.errors)")
        // The file may be an attacker's: no ready command.
        #expect(refused.errors.contains("--unauthenticated") && !refused.errors.contains("Run:"))
        let restored = try follow(told.output)
        #expect(restored.code == 0, "\(told.output)\(restored.errors)")
        #expect(try server.command("audit").output.contains(", without MAC"))
        try server.start()
        #expect(try alice.login(at: server.peer).status == 200)
    }

    @Test func `the running server authenticates a backup where no other process has the key`() throws {
        let (server, status) = try served()
        let alice = try server.enroll("alice")
        let file = server.directory + "/backup"
        let key = server.directory + "/state/seal.key"
        #expect(rename(key, key + ".away") == 0)
        // The administrator's own file, which no backup touches.
        let own = URL(fileURLWithPath: server.directory + "/state/mpin.sqlite.backup")
        try Data("mine".utf8).write(to: own)
        let made = try server.command("backup", file)
        #expect(made.code == 0 && made.object["authenticated"] as? Bool == true, "\(made.errors)")
        #expect(try SocketPeer(path: status).get("/backup").status == 405)
        // Whatever a caller sends, it gets this server's own database.
        let forged = Array("forged".utf8) + Array(repeating: UInt8(0), count: 200_000)
        let answer = try SocketPeer(path: status).post("/backup", forged)
        #expect(answer.status == 200 && answer.body.starts(with: Array("SQLite format 3".utf8)))
        try Data(answer.body).write(to: URL(fileURLWithPath: file + ".2"))
        #expect(chmod(file + ".2", 0o600) == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: server.directory + "/state")
        #expect(!left.contains { $0.hasPrefix("mpin.sqlite.snapshot-") }, "\(left)")
        #expect(try Data(contentsOf: own) == Data("mine".utf8))
        #expect(rename(key + ".away", key) == 0)
        #expect(server.stop() == 0)
        for name in [file, file + ".2"] {
            let restored = try server.command("restore", name)
            #expect(restored.code == 0, "\(restored.output)")
        }
        try server.start()
        #expect(try alice.login(at: server.peer).status == 200)
    }

    @Test func `an answer at the status socket that is not a backup is refused`() throws {
        let (server, status) = try served()
        _ = try server.enroll("alice")
        let (file, answer) = (server.directory + "/backup", server.directory + "/answer")
        defer { unlink(status) }
        #expect(try server.command("backup", file).code == 0)
        // The lock's file still names the socket.
        server.kill()
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let end = Data(whole.suffix(from: AlteredBackup.withoutMAC(whole).count))
        let listen = """
            import socket, sys
            taken, content = sys.argv[2].encode(), open(sys.argv[3], "rb").read()
            s = socket.socket(socket.AF_UNIX)
            s.bind(sys.argv[1])
            s.listen()
            s.settimeout(30)
            print("ready", flush=True)
            c = s.accept()[0]
            c.recv(1000)
            head = b"HTTP/1.1 200 OK\\r\\nbackup-taken: %s\\r\\ncontent-length: %d\\r\\n\\r\\n" % (taken, len(content))
            try:
                c.sendall(head + content)
            except OSError:
                pass
            """
        let time = "2001-02-03T04:05:06Z"
        for (taken, content, isBackup) in [(time, whole, true), ("yesterday", whole, false), (time, end, false)] {
            for name in [file, status] { try? FileManager.default.removeItem(atPath: name) }
            try content.write(to: URL(fileURLWithPath: answer))
            let listener = try Companion(["/usr/bin/python3", "-c", listen, status, taken, answer])
            let made = try server.command("backup", file)
            try listener.end()
            #expect(made.code == 0 && made.object["authenticated"] as? Bool == true, "\(made.output)")
            #expect((made.object["taken"] as? String == taken) == isBackup, "\(made.output)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: Array("SQLite format 3".utf8)))
        }
    }

    @Test(.enabled(if: getuid() == 0))
    func `others get no backup at the status socket, and give none`() throws {
        let (server, status) = try served()
        _ = try server.enroll("alice")
        let file = server.directory + "/backup"
        defer { unlink(status) }
        #expect(chmod(status, 0o666) == 0)
        let ask = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX)
            s.connect(sys.argv[1])
            try:
                s.sendall(b"POST /backup HTTP/1.0\\r\\nContent-Length: 0\\r\\n\\r\\n")
                print(len(s.recv(1000)))
            except (BrokenPipeError, ConnectionResetError):
                print(0)
            """
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3"]
        let asked = try Program.run(at: "/usr/bin/setpriv", nobody + ["-c", ask, status])
        #expect(asked.output == "0\n", "\(asked.output)\(asked.errors)")
        // Another user takes the path of a server that was killed. The lock's file still names it.
        server.kill()
        try FileManager.default.removeItem(atPath: status)
        let listen = """
            import os, socket, sys
            s = socket.socket(socket.AF_UNIX)
            s.bind(sys.argv[1])
            os.chmod(sys.argv[1], 0o666)
            s.listen()
            print("ready", flush=True)
            c = s.accept()[0]
            mac = b"\\nmpin-server backup MAC 1 0000-0000 " + b"0" * 64 + b"\\n"
            c.sendall(b"HTTP/1.1 200 OK\\r\\nbackup-taken: now\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(mac) + mac)
            """
        let listener = try Companion(["/usr/bin/setpriv"] + nobody + ["-c", listen, status])
        let made = try server.command("backup", file)
        #expect(made.code == 0 && made.object["authenticated"] as? Bool == true, "\(made.errors)")
        listener.stop()
        let restored = try server.command("restore", file)
        #expect(restored.code == 0, "\(restored.output)")
    }
}
