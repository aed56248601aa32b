// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A server whose second authority is on another host: two processes, which know of each other only an address and
/// a public key.
@Suite(.serialized) struct TwoHostTests {
    private let hosts: TwoHosts

    init() throws { hosts = try TwoHosts() }

    @Test func `mpin-enroll enrolls and logs in, and each host gives its own shares alone`() throws {
        let enrolled = try hosts.enroll("register", "--code", hosts.invitation(for: "alice"), pin: "4962")
        #expect(enrolled.code == 0, "\(enrolled.errors)")
        #expect(try hosts.enroll("test", pin: "4962").code == 0)
        #expect(try hosts.enroll("test", pin: "4963").code != 0)
        #expect(try hosts.given() == ["server-share", "client-share"])
        #expect(try hosts.events(hosts.partyDirectory).filter { $0 == "server-share-kept" }.count == 1)
        let settings = try hosts.partyPeer.get("/rps/clientSettings")
        #expect(settings.string("certivoxURL") == hosts.front.url + "/dta/")
        #expect((settings.object["extensions"] as? [String])?.contains("secondAuthority") == true)
        for path in ["/dta/clientSecret?x=1", "/dta/timePermit?x=1", "/dta/serverSecret?x=1"] {
            #expect(try hosts.partyPeer.get(path).status == 404, "\(path)")
        }
        for path in [
            "/", "/rps/clientSettings", "/rps/signature/00", "/mpin.js", "/service", "/session", "/healthz", "/dta",
            "/dta/timePermits", "/dta/clientSecret/x", "/serverSecret",
        ] {
            #expect(try hosts.authorityPeer.get(path).status == 404, "\(path)")
        }
        for path in ["/rps/pass1", "/rps/pass2", "/mpinDirect", "/mpinAuthenticate", "/otp"] {
            #expect(try hosts.authorityPeer.post(path, [UInt8]("{}".utf8)).status == 404, "\(path)")
        }
        var browser = hosts.authorityPeer
        browser.headers = ["Accept: text/html,*/*;q=0.8"]
        let page = try browser.get("/")
        #expect(page.status == 404 && page.text.hasPrefix("<!DOCTYPE html>") && !page.text.contains("href"))
        let posted = try hosts.authorityPeer.post("/dta/clientSecret", [UInt8]("{}".utf8))
        #expect(posted.status == 405)
        #expect(posted.headers["allow"] == "GET")
    }

    @Test func `a client of 2016 enrolls and logs in`() throws {
        let client = try hosts.oldClient("alice@example.invalid")
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
        #expect(try client.authenticate(pin: "9999") == .incorrectPIN)
        #expect(try client.authenticate(pin: "1234") == .ok)
        #expect(client.paths.contains("dta/timePermit"))
        // A revocation is the relying party's, which gives no first share any more.
        #expect(try hosts.administer("user", "revoke", "alice@example.invalid").code == 0)
        #expect(try client.startAuthentication() == .revoked)
    }

    @Test func `both logs name an identity alike, and permits are in the log of the second authority`() throws {
        let client = try hosts.oldClient("alice")
        _ = try hosts.oldClient("bob")
        let enrolled = try hosts.details("enroll", in: hosts.partyDirectory)
        #expect(Set(enrolled).count == 2 && enrolled.allSatisfy { $0.hasPrefix("identity ") && $0.utf8.count == 73 })
        #expect(try hosts.details("client-share", in: hosts.authorityDirectory) == enrolled)
        // However often the permit of a day is fetched.
        for _ in 0..<3 {
            #expect(try client.startAuthentication() == .ok)
            #expect(try client.authenticate(pin: "1234") == .ok)
        }
        func permits() throws -> [String] { try hosts.details("permit-share", in: hosts.authorityDirectory) }
        #expect(try becomes { try permits().count { $0.hasPrefix(enrolled[0] + " for 20") } > 0 })
        let question = try hosts.partyPeer.get("/rps/timePermit/\(client.mpinID)")
        for _ in 0..<20 {
            let query = "hash_mpin_id=\(question.string("storageId"))&signature=\(question.string("signature"))"
            #expect(try hosts.authorityPeer.get("/dta/timePermit?" + query).status == 200)
        }
        hosts.authority.map { #expect($0.stop() == 0) }
        // Two where midnight has passed.
        let lines = try permits()
        #expect(lines.count { $0.hasPrefix(enrolled[0]) } <= 2, "\(lines)")
    }

    @Test func `logins work without the authority, which only new registrations need`() throws {
        let client = try hosts.oldClient("alice")
        let enrolled = try hosts.enroll("register", "--code", hosts.invitation(for: "alice"), pin: "4962")
        #expect(enrolled.code == 0, "\(enrolled.errors)")
        #expect(try client.startAuthentication() == .ok)
        hosts.stopAuthority()
        hosts.stopParty()
        try hosts.startParty()
        #expect(try hosts.enroll("test", pin: "4962").code == 0)
        // With the permit of the day, which it has.
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
        let other = OldClient("bob", at: hosts.partyPeer)
        other.secondAuthority = hosts.authorityPeer
        #expect(try other.setBackend() == .ok)
        #expect(try other.startRegistration(code: hosts.invitation(for: "bob")) == .ok)
        #expect(throws: (any Error).self) { try other.confirmRegistration() }
        try hosts.startAuthority()
        #expect(try other.confirmRegistration() == .ok)
        #expect(try other.finishRegistration(pin: "2222") == .ok)
        #expect(try other.startAuthentication() == .ok)
        #expect(try other.authenticate(pin: "2222") == .ok)
    }

    @Test func `a later answer of another authority changes nothing`() throws {
        let client = try hosts.oldClient("alice")
        #expect(try client.startAuthentication() == .ok)
        // At the same address, for the same relying party, with another master share.
        try hosts.makeAuthority()
        try hosts.startAuthority()
        hosts.stopParty()
        try hosts.startParty()
        #expect(try client.authenticate(pin: "1234") == .ok)
        #expect(try hosts.given() == [])
        #expect(try hosts.events(hosts.partyDirectory).filter { $0 == "server-share-kept" }.count == 1)
        // A user who enrolls there gets a token that this server does not verify.
        let other = try hosts.oldClient("bob")
        #expect(try other.startAuthentication() == .ok)
        #expect(try other.authenticate(pin: "1234") == .incorrectPIN)
    }

    @Test func `backups bring both back, another sealing key opens both, and each command names what is elsewhere`()
        throws
    {
        let client = try hosts.oldClient("alice")
        hosts.stopAuthority()
        hosts.stopParty()
        for (directory, words) in [
            (hosts.partyDirectory, "The second authority's host has the other one"),
            (hosts.authorityDirectory, "The relying party's host has the users"),
        ] {
            let file = directory + ".backup"
            for command in [["rotate"], ["backup", file, "--with-key"]] {
                let run = try Program.run(command + ["--dir", directory])
                #expect(run.code == 0 && run.output.contains(words), "\(run.output)\(run.errors)")
            }
            for name in ["mpin.sqlite", "seal.key"] {
                try FileManager.default.removeItem(atPath: "\(directory)/state/\(name)")
            }
            let restored = try Program.run(["restore", file, "--dir", directory])
            #expect(restored.code == 0, "\(restored.output)")
            #expect(restored.output.contains("relying-party renew") == (directory == hosts.partyDirectory))
        }
        // The relying party has kept what it needs.
        try hosts.startParty()
        try hosts.startAuthority()
        #expect(try client.startAuthentication() == .ok)
        #expect(try client.authenticate(pin: "1234") == .ok)
        let other = try hosts.oldClient("bob")
        #expect(try other.startAuthentication() == .ok)
        #expect(try other.authenticate(pin: "1234") == .ok)
        #expect(try hosts.given().filter { $0 == "server-share" }.count == 1)
    }
}
