// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerStorage

/// A server that verifies by mail, and its mail server.
struct MailFixture {
    static let address = "https://login.example.org"

    let peer: MailPeer
    let fixture: Fixture

    /// - Parameter host: the name of the mail server's host in the configuration.
    init(
        peer: MailPeer? = nil, publicURL: String? = MailFixture.address, host: String = "127.0.0.1", _ lines: String...
    ) throws {
        self.peer = try peer ?? MailPeer()
        let settings = [
            "verify = mail", "smtp_url = smtp://\(host):\(self.peer.port)", "mail_from = login@example.org",
        ]
        fixture = try Fixture(configuration: (settings + lines).joined(separator: "\n") + "\n", publicURL: publicURL)
    }

    /// Begins a registration.
    ///
    /// - Parameter key: the device's; nil for a client of 2016.
    func begin(
        _ user: String, key: DeviceSecret? = nil, from source: RequestSource = .address("192.0.2.7")
    ) throws -> Answer {
        var body: [String: Any] = ["userId": user, "mobile": 1, "deviceName": "lap<top>"]
        body["deviceKey"] = key.map { hex($0.publicKey) }
        return try fixture.from(source).put("/rps/user", body)
    }

    /// Begins one that was begun again.
    func again(
        _ begun: Answer, _ user: String, code: String? = nil, key: DeviceSecret? = nil,
        from source: RequestSource = .address("192.0.2.7")
    ) throws -> Answer {
        var body: [String: Any] = ["userId": user, "mobile": 1, "regOTT": begun.string("regOTT")]
        body["activateCode"] = code
        if let key {
            let digest = try DeviceStatement.request(
                Array("restart".utf8), serverID: unhex(fixture.get("/rps/clientSettings").string("serverId")),
                mpinID: unhex(begun.string("mpinId")), time: UInt64(fixture.milliseconds),
                regOTT: unhex(begun.string("regOTT")))
            body["deviceKey"] = hex(key.publicKey)
            body["time"] = fixture.milliseconds
            body["deviceSignature"] = try hex(key.sign(digest))
        }
        return try fixture.from(source).put("/rps/user/\(begun.string("mpinId"))", body)
    }

    /// Whether the secret can be fetched, by the status of trying.
    func signature(_ begun: Answer) throws -> Int {
        try fixture.share(begun).status
    }

    /// Presses the button of the page behind a link.
    func press(_ token: String) throws -> Answer { try fixture.post("/mpinActivate", Array("t=\(token)".utf8)) }

    /// Waits for a line of the audit log.
    func audit(contains text: String) throws -> Bool {
        for _ in 0..<2_400 {
            if try fixture.auditText().contains(text) { return true }
            usleep(50_000)
        }
        return false
    }
}
