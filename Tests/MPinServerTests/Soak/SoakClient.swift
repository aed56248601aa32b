// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer

/// One client of a soak: does whatever users and administrators do, by chance, and checks every answer against
/// earlier ones.
final class SoakClient: @unchecked Sendable {
    /// As the server is configured.
    static let limit = 4

    let name: String
    let peer: SocketPeer
    let record: SoakRecord
    let administrator: Administrator
    var accounts: [Account] = []
    private var users = 0

    init(_ name: String, server: RunningServer, record: SoakRecord) throws {
        self.name = name
        peer = server.peer
        self.record = record
        administrator = try Administrator(ServerDirectory(server.directory), actor: "soak")
    }

    /// Works until the soak is over, then checks everything once more.
    func run() {
        var epoch = record.epoch
        while !record.isOver {
            if record.epoch != epoch {
                epoch = record.epoch
                for index in accounts.indices.shuffled().prefix(4) { attempt { try check(index) } }
            }
            attempt { try step() }
        }
        for index in accounts.indices { attempt { try check(index) } }
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch is SocketPeer.Broken {
            record.count("cut")
            usleep(20_000)
        } catch { record.fault("\(name): \(error)") }
    }

    private func step() throws {
        guard accounts.count > 1, Int.random(in: 0..<12) > 0 else { return try register() }
        if accounts.count > 30 {
            // Most of the old ones are blocked or revoked by now; they must be so when they are let go.
            try check(0)
            accounts.removeFirst()
        }
        let index = accounts.indices.suffix(6).randomElement() ?? 0
        switch Int.random(in: 0..<12) {
        case 0..<6: try login(index, right: true)
        case 6..<10: try login(index, right: false)
        case 10: try replay(index)
        default: if accounts.count > 4 { try Bool.random() ? revoke(index) : revokeByAdministrator(index) }
        }
    }

    /// Asks until it is answered: for requests that change nothing the second time.
    func patiently(_ request: () throws -> Answer) throws -> Answer {
        for _ in 0..<600 {
            do { return try request() } catch is SocketPeer.Broken { usleep(50_000) }
        }
        throw SocketPeer.Broken()
    }

    /// Now and then lets a kill come between two requests of a login; otherwise hardly any would.
    func pause() throws {
        guard Int.random(in: 0..<20) == 0 else { return }
        let epoch = record.epoch
        for _ in 0..<200 where record.epoch == epoch && !record.isOver { usleep(10_000) }
        _ = try patiently { try peer.get("/rps/clientSettings") }
    }

    /// Registers another user. A code whose answer was cut off is good once more, until its registration has logged in.
    private func register() throws {
        users += 1
        let user = "\(name)-\(users)"
        let code = try administrator.invite([user]).invitations[0].code
        let body: [String: Any] = ["userId": user, "mobile": 1, "activateCode": code]
        var begun: Answer?
        while begun == nil {
            do {
                let answer = try peer.put("/rps/user", body)
                guard answer.status == 200 else { throw ClientRegistration.Failed(step: "register", answer: answer) }
                begun = answer
            } catch is SocketPeer.Broken { usleep(50_000) }
        }
        guard let begun else { return }
        let first = try patiently { try peer.share(begun) }
        guard first.status == 200 else { return record.fault("\(user): a registration was lost: \(first.status)") }
        let enrolled = try ClientRegistration.finish(user, begun, at: PatientPeer(client: self))
        accounts.append(
            Account(enrolled: enrolled, permit: try enrolled.permit(at: PatientPeer(client: self)), code: code))
        record.count("registered")
    }

    private struct PatientPeer: Peer {
        let client: SoakClient

        func send(_ method: String, _ target: String, _ body: [UInt8]) throws -> Answer {
            try client.patiently { try client.peer.send(method, target, body) }
        }
    }

    /// A user gives up the very registration that logs in.
    private func revoke(_ index: Int) throws {
        guard accounts[index].standing == .good, let handle = try prove(index) else { return }
        accounts[index].mayBeRevoked = true
        let answer = try peer.post(
            "/mpinRevoke",
            ["mpinResponse": ["authOTT": handle.string("authOTT")], "revoke": accounts[index].enrolled.mpinID])
        switch answer.status {
        case 200:
            accounts[index].standing = .revoked
            accounts[index].mayBeRevoked = false
            record.count("revoked")
        case 408, 410, 403: accounts[index].mayBeRevoked = answer.status == 403
        default: record.fault("\(accounts[index].user): revoking: \(answer.status)")
        }
    }

    private func revokeByAdministrator(_ index: Int) throws {
        guard accounts[index].standing == .good else { return }
        _ = try administrator.revoke(accounts[index].user, reason: nil)
        accounts[index].standing = .revoked
        record.count("revoked by administrator")
    }
}
