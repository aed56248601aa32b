// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The role of a directory, and commands that are refused because of it.
@Suite(.serialized) struct RoleTests {
    /// The code and the words of a start that has to fail.
    private func refusal(_ directory: String) -> (code: Int32, errors: String) {
        do {
            let served = try Served(directory)
            served.kill()
            return (0, "it serves")
        } catch let ended as Served.Ended {
            return (ended.code, ended.errors)
        } catch {
            return (-1, "\(error)")
        }
    }

    @Test func `a directory is served in its own role`() throws {
        let hosts = try TwoHosts(isRunning: false)
        try hosts.makeAuthority()
        let combined = hosts.directory + "/combined"
        #expect(try Program.run(["init", "--dir", combined]).code == 0)
        for (directory, settings) in [(combined, 200), (hosts.authorityDirectory, 404)] {
            let served = try Served(directory)
            #expect(try served.peer.get("/dta/clientSecret").status == 403)
            #expect(try served.peer.get("/rps/clientSettings").status == settings)
            #expect(served.stop() == 0)
        }
    }

    @Test func `commands about users say that there are none`() throws {
        let hosts = try TwoHosts(isRunning: false)
        try hosts.makeAuthority()
        for command in [
            ["invite", "alice"], ["user", "list"], ["user", "show", "alice"], ["user", "revoke", "alice"],
            ["user", "devices"], ["host", "add", "gate"], ["host", "list"], ["config", "mail", "a@example.org"],
        ] {
            let run = try Program.run(command + ["--dir", hosts.authorityDirectory])
            #expect(run.code == 78, "\(command)")
            #expect(run.errors.contains("which has no users, devices or hosts"), "\(command): \(run.errors)")
        }
        #expect(try Program.run(["audit", "--dir", hosts.authorityDirectory]).code == 0)
    }

    @Test func `init refuses options that do not fit together, and creates nothing`() throws {
        let hosts = try TwoHosts(isRunning: false)
        let path = hosts.directory + "/none"
        let authority = ["--relying-party", hosts.line]
        for (options, code) in [
            (["--second-authority", "http://localhost:1"], 65), (["--second-authority", "b.example.org"], 65),
            (["--second-authority", "https://"], 78),
            (authority + ["--second-authority", "https://b.example.org"], 64),
            (authority + ["--public-url", "https://b.example.org"], 64),
            (["--relying-party", String(hosts.line.dropLast())], 65),
        ] as [([String], Int32)] {
            let run = try Program.run(["init", "--dir", path] + options)
            #expect(run.code == code, "\(options): \(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: path), "\(options)")
        }
        let again = try Program.run(["init", "--dir", hosts.partyDirectory])
        #expect(again.code == 73)
    }

    @Test func `a relying party does not start before it has asked the right authority`() throws {
        let hosts = try TwoHosts(isRunning: false)
        let (code, errors) = refusal(hosts.partyDirectory)
        #expect(code == 69)
        #expect(errors.contains(hosts.front.url) && errors.contains("--relying-party \(hosts.line)"), "\(errors)")
        // One that belongs to another user.
        let other = try Program.run(
            ["init", "--dir", hosts.directory + "/other", "--second-authority", hosts.front.url, "--json"])
        try hosts.makeAuthority(for: other.object["relyingParty"] as? String)
        try hosts.startAuthority()
        let (foreign, words) = refusal(hosts.partyDirectory)
        #expect(foreign == 78)
        #expect(words.contains("does not accept this relying party's key"), "\(words)")
        #expect(try hosts.given() == [])
        // Not at its address: a whole server, which has both authorities.
        let combined = try RunningServer()
        #expect(try combined.peer.get("/dta/serverSecret?app_id=x").status == 404)
        try hosts.makeAuthority()
        try hosts.startAuthority()
        try hosts.startParty()
        #expect(try hosts.given() == ["server-share"])
    }

    @Test func `each host watches its own share`() throws {
        let hosts = try TwoHosts(isRunning: false)
        try hosts.makeAuthority()
        for (directory, parts) in [
            (hosts.authorityDirectory, ["authority2"]), (hosts.partyDirectory, ["clock", "authority1"]),
        ] {
            let path = directory + ".status"
            let configuration = directory + "/server.conf"
            let text = (try? String(contentsOfFile: configuration, encoding: .utf8)) ?? ""
            try TwoHosts.write(text + "status_socket = \(path)\n", to: configuration)
            if directory == hosts.authorityDirectory { try hosts.startAuthority() } else { try hosts.startParty() }
            #expect(becomes { (try? SocketPeer(path: path).get("/healthz").status) == 200 })
            let answer = try SocketPeer(path: path).get("/healthz")
            #expect(answer.object["ok"] as? Bool == true)
            #expect(
                Set(answer.object.keys) == Set(["ok", "listener", "requests", "database"] + parts), "\(answer.text)")
            let metrics = try SocketPeer(path: path).get("/metrics").text
            #expect(metrics.contains("mpin_requests_total"))
            #expect(metrics.contains("mpin_logins_total") == (directory == hosts.partyDirectory))
        }
    }
}
