// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage

extension SoakClient {
    private static let noPassOne = "Invalid pass one data"

    /// The right PIN as far as a handle, which is not used; nil where a kill came between.
    func prove(_ index: Int) throws -> Answer? {
        try answer(index, right: true)?.handle
    }

    /// A whole login. Learns from each answer.
    func login(_ index: Int, right: Bool) throws {
        guard let (login, handle, epoch) = try answer(index, right: right) else { return }
        try pause()
        let result = try Login.redeem(handle, at: peer)
        accounts[index].use(login, handle)
        try judge(index, result, right: right, isCut: !record.isCalm(since: epoch))
    }

    /// Both passes.
    private func answer(_ index: Int, right: Bool) throws -> (login: Login, handle: Answer, epoch: Int)? {
        let epoch = record.epoch
        let account = accounts[index]
        let login = try Login(account.enrolled, pin: right ? "1234" : "9999", permit: account.permit, at: peer)
        try pause()
        // From here on it may be counted, or forgotten, whether or not an answer comes.
        if account.standing == .good {
            if right, account.least < Self.limit { accounts[index].least = 0 }
            if !right { accounts[index].most = min(Self.limit, account.most + 1) }
        }
        let handle = try login.passTwo(at: peer, named: Bool.random())
        if handle.status == 500, handle.string("message") == Self.noPassOne {
            accounts[index].least = account.least
            accounts[index].most = account.most
            if record.isCalm(since: epoch) { record.fault("\(account.user): a pass 1 was lost without a kill") }
            record.count("pass 1 lost")
            return nil
        }
        guard handle.status == 200 else { throw ClientRegistration.Failed(step: "pass 2", answer: handle) }
        if account.standing == .good, !account.mayBeRevoked {
            if !right { accounts[index].least = min(Self.limit, account.least + 1) }
            if right, account.most < Self.limit { accounts[index].most = 0 }
        }
        return (login, handle, record.epoch)
    }

    private func judge(_ index: Int, _ result: Answer, right: Bool, isCut: Bool) throws {
        let account = accounts[index]
        func fault(_ text: String) {
            let known = "\(account.standing), \(account.least) to \(account.most) counted"
            record.fault("\(account.user): \(text): \(result.status), \(result.text); \(known)")
        }
        switch result.status {
        case 200:
            if !right || account.standing != .good || account.least >= Self.limit { fault("logged in") }
            accounts[index].know(0)
            accounts[index].mayBeRevoked = false
            record.count("logins")
            if let code = account.code {
                accounts[index].code = nil
                let body: [String: Any] = ["userId": account.user, "mobile": 1, "activateCode": code]
                if try patiently({ try peer.put("/rps/user", body) }).status != 403 { fault("a code used twice") }
            }
        case 401, 410:
            guard let left = result.object["attemptsLeft"] as? Int else { return fault("no number of tries") }
            let failures = Self.limit - left
            if right && failures < Self.limit { fault("the right PIN refused") }
            if account.standing == .revoked { fault("judged though revoked") }
            if !(account.least...account.most ~= failures) { fault("\(failures) counted") }
            accounts[index].know(failures)
            if left == 0 { accounts[index].standing = .blocked }
            record.count(left == 0 ? "blocked" : "wrong PINs")
        case 403:
            if account.standing != .revoked && !account.mayBeRevoked { fault("revoked") }
            accounts[index].standing = .revoked
        case 408:
            if !isCut { fault("a result was lost without a kill") }
            record.count("results lost")
        default: fault("unexpected")
        }
    }

    /// What is over stays over.
    func replay(_ index: Int) throws {
        for (login, handle) in accounts[index].used {
            let result = try Login.redeem(handle, at: peer)
            if result.status != 408 { record.fault("\(accounts[index].user): a handle good twice: \(result.status)") }
            let second = try login.passTwo(at: peer, named: true)
            if second.status != 500 || second.string("message") != Self.noPassOne {
                record.fault("\(accounts[index].user): an answer good twice: \(second.status)")
            }
            record.count("replays")
        }
    }

    /// Compares the server's state with its answers.
    func check(_ index: Int) throws {
        let account = accounts[index]
        let devices = try administrator.user(account.user).devices
        guard devices.count == 1, let device = devices.first else {
            return record.fault("\(account.user): \(devices.count) registrations")
        }
        if !(account.least...max(account.least, account.most) ~= device.failures) {
            record.fault("\(account.user): \(device.failures) counted, told \(account.least) to \(account.most)")
        }
        let permit = try patiently { try peer.get("/rps/timePermit/\(account.enrolled.mpinID)") }
        switch (account.standing, permit.status) {
        case (.revoked, 410), (.good, 200), (.blocked, 200): break
        case (.good, 410) where account.mayBeRevoked: accounts[index].standing = .revoked
        default: record.fault("\(account.user): \(account.standing), but a permit is \(permit.status)")
        }
        if permit.status == 200 { accounts[index].mayBeRevoked = false }
        if account.standing == .blocked, device.state != .blocked { record.fault("\(account.user): a block was lost") }
        try replay(index)
        // The right PIN settles the rest: it must work exactly where it should.
        try login(index, right: true)
        record.count("checks")
    }
}
