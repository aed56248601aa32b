// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `mpin-server relying-party`: another key for the questions to the second authority.
@Suite(.serialized) struct RelyingPartyRenewalTests {
    @Test func `a renewed key is asked with, and the former one is refused`() throws {
        let hosts = try TwoHosts()
        #expect(try hosts.administer("relying-party", "show").object["relyingParty"] as? String == hosts.line)
        #expect(try hosts.enroll("register", "--code", hosts.invitation(for: "alice"), pin: "4962").code == 0)
        let running = try hosts.administer("relying-party", "renew")
        #expect(running.code == 69)
        hosts.stopParty()
        // An attacker's copy of the relying party.
        let copy = hosts.directory + "/copy"
        try FileManager.default.copyItem(atPath: hosts.partyDirectory, toPath: copy)
        let line = try #require(try hosts.administer("relying-party", "renew").object["relyingParty"] as? String)
        #expect(line != hosts.line)
        try hosts.startParty()
        let early = try hosts.oldRegistration()
        #expect(early != 200)
        #expect(try hosts.administer("relying-party", "accept", line, at: hosts.authorityDirectory).code == 69)
        hosts.stopAuthority()
        let accepted = try hosts.administer("relying-party", "accept", line, at: hosts.authorityDirectory)
        #expect(accepted.code == 0, "\(accepted.output)")
        #expect(try hosts.administer("relying-party", "accept", line, at: hosts.authorityDirectory).code == 67)
        let former = try hosts.administer("relying-party", "accept", hosts.line, at: hosts.authorityDirectory)
        #expect(former.code == 65 && former.output.contains("former key"), "\(former.output)")
        #expect(try hosts.events(hosts.authorityDirectory).contains("relying-party-key"))
        try hosts.startAuthority()
        #expect(try hosts.oldRegistration() == 200)
        #expect(try hosts.enroll("test", pin: "4962").code == 0)
        hosts.stopParty()
        let thief = try Served(copy)
        #expect(try hosts.oldRegistration(at: thief.peer, directory: copy) != 200)
    }

    @Test func `a line of another relying party, and a server of another kind, are refused`() throws {
        let hosts = try TwoHosts(isRunning: false), others = try TwoHosts(isRunning: false)
        try hosts.makeAuthority()
        let foreign = try hosts.administer("relying-party", "accept", others.line, at: hosts.authorityDirectory)
        #expect(foreign.code == 65 && foreign.output.contains("a different relying party"), "\(foreign.output)")
        #expect(try hosts.administer("relying-party", "accept", hosts.line).code == 78)
        #expect(try hosts.administer("relying-party", "renew", at: hosts.authorityDirectory).code == 78)
        let combined = hosts.directory + "/combined"
        #expect(try Program.run(["init", "--dir", combined]).code == 0)
        #expect(try hosts.administer("relying-party", "renew", at: combined).code == 78)
        #expect(try hosts.administer("relying-party", "show", at: combined).code == 78)
    }
}

extension TwoHosts {
    /// How the second authority answers about a new registration.
    fileprivate func oldRegistration(at peer: SocketPeer? = nil, directory: String? = nil) throws -> Int {
        let party = peer ?? partyPeer
        let code = try administer("invite", "bob", at: directory).object["code"] as? String ?? ""
        let begun = try party.put("/rps/user", ["userId": "bob", "activateCode": code])
        let signed = try party.share(begun)
        return try authorityPeer.get("/dta/clientSecret?" + signed.string("params")).status
    }
}
