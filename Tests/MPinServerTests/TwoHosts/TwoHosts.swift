// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// A relying party and its second authority, as two processes with TLS between them, that go away with this.
final class TwoHosts {
    let directory: String
    let front: TLSFront
    /// What the relying party has printed for the other host.
    let line: String
    private(set) var party: Served?
    private(set) var authority: Served?

    /// - Parameter isRunning: whether both serve already.
    init(isRunning: Bool = true) throws {
        directory = NSTemporaryDirectory() + "mpin-hosts-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        front = try TLSFront(directory + "/authority.sock", in: directory)
        let made = try Program.run(
            ["init", "--dir", directory + "/party", "--second-authority", front.url, "--json"])
        try #require(made.code == 0, "\(made.errors)")
        line = made.object["relyingParty"] as? String ?? ""
        try TwoHosts.write(
            "second_authority_ca_file = \(front.certificate)\n", to: directory + "/party/server.conf")
        try TwoHosts.write("", to: directory + "/mpin.conf")
        guard isRunning else { return }
        try makeAuthority()
        try startAuthority()
        try startParty()
    }

    deinit {
        party?.kill()
        authority?.kill()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var partyDirectory: String { directory + "/party" }
    var authorityDirectory: String { directory + "/authority" }
    var partyPeer: SocketPeer { SocketPeer(path: partyDirectory + ".sock") }
    var authorityPeer: SocketPeer { SocketPeer(path: authorityDirectory + ".sock") }

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }

    /// Makes the directory of the second authority anew.
    func makeAuthority(for line: String? = nil) throws {
        stopAuthority()
        try? FileManager.default.removeItem(atPath: authorityDirectory)
        let made = try Program.run([
            "init", "--dir", authorityDirectory, "--relying-party", line ?? self.line,
        ])
        try #require(made.code == 0, "\(made.errors)")
    }

    func startAuthority() throws {
        authority = nil
        authority = try Served(authorityDirectory)
    }

    func startParty() throws {
        party = nil
        party = try Served(partyDirectory)
    }

    func stopAuthority() {
        authority?.kill()
        authority = nil
    }

    func stopParty() {
        party?.kill()
        party = nil
    }

    func administer(_ arguments: String..., at directory: String? = nil) throws -> Program.Result {
        try Program.run(arguments + ["--dir", directory ?? partyDirectory, "--json"])
    }

    func invitation(for user: String) throws -> String {
        try administer("invite", user).object["code"] as? String ?? ""
    }

    /// The kinds of the events of a directory's audit log.
    func events(_ directory: String) throws -> [String] {
        let events = try administer("audit", at: directory).object["events"] as? [[String: Any]] ?? []
        return events.compactMap { $0["event"] as? String }
    }

    /// What the second authority has given that makes tokens or verifies logins.
    func given() throws -> [String] {
        try events(authorityDirectory).filter { ["client-share", "server-share"].contains($0) }
    }

    /// What the second authority has logged since its last start.
    var authorityLog: String { (try? String(contentsOfFile: authorityDirectory + ".log", encoding: .utf8)) ?? "" }

    /// The details of the events of one kind in a directory's audit log.
    func details(_ kind: String, in directory: String) throws -> [String] {
        let events = try administer("audit", at: directory).object["events"] as? [[String: Any]] ?? []
        return events.filter { $0["event"] as? String == kind }.map { $0["detail"] as? String ?? "-" }
    }

    /// A client of 2016 that has enrolled.
    func oldClient(_ user: String) throws -> OldClient {
        let client = OldClient(user, at: partyPeer)
        client.secondAuthority = authorityPeer
        #expect(try client.enroll(code: invitation(for: user)) == [.ok, .ok, .ok, .ok])
        return client
    }

    /// `mpin-enroll` for alice, at the relying party's socket.
    func enroll(_ command: String, _ arguments: String..., pin: String) throws -> Program.Result {
        let program = URL(fileURLWithPath: try Program.path).deletingLastPathComponent().path + "/mpin-enroll"
        return try Program.run(
            at: program,
            [command] + arguments + [
                "--store", directory + "/store", "--server", "unix:" + partyPeer.path, "--identity", "alice",
                "--config", directory + "/mpin.conf", "--ca-file", front.certificate, "--no-input", "--pin-file", "-",
            ], input: pin)
    }
}
