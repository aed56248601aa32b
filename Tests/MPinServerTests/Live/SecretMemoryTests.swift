// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

/// What the memory of a running server reveals.
@Suite(.serialized) struct SecretMemoryTests {
    /// Whether a program that is aborted leaves a core file where it runs.
    private static let leavesCores: Bool = {
        let directory = NSTemporaryDirectory() + "mpin-core-" + UUID().uuidString.prefix(8)
        mkdir(directory, 0o700)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        // Not SIGABRT, which the threads of these tests block for all that they start.
        let crash = "cd \(directory) && ulimit -c unlimited && exec sh -c 'kill -SEGV $$'"
        _ = try? Program.run(at: "/bin/sh", ["-c", crash])
        if !cores(in: directory).isEmpty { return true }
        print("note: this machine leaves no core files where programs run, and the test that needs them is left out")
        return false
    }()

    private static func cores(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix("core") }
    }

    @Test(.enabled(if: leavesCores)) func `a server that dies leaves no core`() throws {
        // In tests Swift's runtime catches the signal and continues if it was only sent.
        let server = try RunningServer(environment: ["SWIFT_BACKTRACE": "enable=no"], starts: false)
        try server.start(by: ["/bin/sh", "-c", "cd \(server.directory) && ulimit -c unlimited && exec \"$@\"", "sh"])
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
        #expect(kill(server.processIdentifier, SIGSEGV) == 0)
        server.wait()
        #expect(Self.cores(in: server.directory) == [])
    }

    @Test func `no command may leave a core`() throws {
        let server = try RunningServer()
        let limits = try String(contentsOfFile: "/proc/\(server.processIdentifier)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(line.split(separator: " ").filter { $0 == "0" }.count == 2, "\(line)")
    }

    @Test(.enabled(if: getuid() == 0)) func `only root reads the memory of a server`() throws {
        let server = try RunningServer()
        try give(server)
        try server.start(listen: ["unix:\(server.directory)/s.sock"], by: Self.asNobody)
        // The kernel gives what belongs to a process that may not be looked into to root.
        let memory = "/proc/\(server.processIdentifier)/mem"
        #expect(try FileManager.default.attributesOfItem(atPath: memory)[.ownerAccountID] as? Int == 0)
        let status = try String(contentsOfFile: "/proc/\(server.processIdentifier)/status", encoding: .utf8)
        #expect(status.contains("\nUid:\t65534\t"))
        #expect(!server.logText.contains("not locked in memory"), "\(server.logText)")
    }

    @Test(.enabled(if: getuid() == 0)) func `a server that may lock no memory logs that and serves`() throws {
        let server = try RunningServer()
        let code = try server.invite("alice")
        try give(server)
        try server.start(
            listen: ["unix:\(server.directory)/s.sock"],
            by: ["/bin/sh", "-c", "ulimit -l 0 && exec \"$@\"", "sh"] + Self.asNobody)
        #expect(server.logText.contains("secrets are not locked in memory, and may be written to swap"))
        #expect(server.logText.contains("RLIMIT_MEMLOCK=0"), "\(server.logText)")
        let peer = SocketPeer(path: server.directory + "/s.sock")
        let alice = try ClientRegistration.register("alice", code: code, pin: "1234", at: peer)
        #expect(try alice.login(at: peer).status == 200)
        #expect(server.stop() == 0)
    }

    @Test(.enabled(if: ProcessImage.mayBeRead))
    func `shares are wiped from the memory of the server once they are sent`() throws {
        let server = try RunningServer()
        let code = try server.invite("alice")
        let begun = try server.peer.put("/rps/user", ["userId": "alice", "mobile": 1, "activateCode": code])
        let mpinID = begun.string("mpinId")
        let first = try server.peer.get("/rps/signature/\(mpinID)?regOTT=\(begun.string("regOTT"))")
        let second = try server.peer.get("/dta/clientSecret?\(first.string("params"))")
        let permit = try server.peer.get("/rps/timePermit/\(mpinID)")
        let other = try server.peer.get(
            "/dta/timePermit?hash_mpin_id=\(permit.string("storageId"))&signature=\(permit.string("signature"))")
        // An answer with a proof is a copy of the one without.
        let key = try DeviceSecret()
        let invited = try server.invite("bob")
        let keyed = try server.peer.put(
            "/rps/user", ["userId": "bob", "activateCode": invited, "deviceKey": hex(key.publicKey)])
        let proof = try Device.proof(
            "signature", keyed.string("mpinId"), keyed.string("regOTT"), key, ServerKeyPeer(at: server.peer).hash,
            at: Int64(Date().timeIntervalSince1970 * 1_000))
        let proven = try server.peer.get(
            "/rps/signature/\(keyed.string("mpinId"))?regOTT=\(keyed.string("regOTT"))\(proof)")
        #expect(!proven.string("proof").isEmpty)
        let shares = [
            proven.string("clientSecretShare"),
            first.string("clientSecretShare"), second.string("clientSecret"), permit.string("timePermit"),
            other.string("timePermit"),
        ]
        #expect(shares.allSatisfy { $0.utf8.count == 130 })
        let memory = ProcessImage(process: server.processIdentifier)
        // The search finds what is there.
        let appID = try server.peer.get("/rps/clientSettings").string("appID")
        #expect(try memory.contains(Array(appID.utf8)))
        for share in shares { #expect(try becomes { try !memory.contains(Array(share.utf8)) }) }
    }

    private static let asNobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    /// Gives the directory of a stopped server to the account `nobody`.
    private func give(_ server: RunningServer) throws {
        _ = server.stop()
        #expect(try Program.run(at: "/bin/chown", ["-R", "65534:65534", server.directory]).code == 0)
    }
}
