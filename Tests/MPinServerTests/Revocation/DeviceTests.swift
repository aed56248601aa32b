// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Devices by their numbers.
@Suite struct DeviceTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func isRefused(_ device: ClientRegistration, at fixture: Fixture) throws -> Bool {
        try fixture.get("/rps/timePermit/\(device.mpinID)").status == 410
    }

    @Test func `numbers are a user's own, and none is given twice`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\nregistration_ttl = 60\n")
        func numbers(_ user: String = "alice") throws -> [Int] {
            try fixture.administrator.user(user).devices.map(\.number)
        }
        let first = try fixture.enroll()
        _ = try fixture.enroll("bob")
        _ = try fixture.enroll()
        let begin = { try fixture.put("/rps/user", ["userId": "alice"]).status }
        #expect(try begin() == 200)
        #expect(try numbers() == [1, 2, 3])
        #expect(try numbers("bob") == [1])
        // The third lapses, and is cleared away by the next.
        fixture.clock.advance(60)
        #expect(try numbers() == [1, 2])
        #expect(try begin() == 200)
        #expect(try first.revoke(first.mpinID, at: fixture).status == 200)
        #expect(try numbers() == [1, 2, 4])
    }

    @Test func `one device is revoked, and nothing else`() throws {
        let devices = try (0..<3).map { _ in try fixture.enroll() }
        let code = try fixture.invite("alice")
        #expect(try fixture.administrator.revoke("alice", device: 2, reason: "stolen") == 1)
        #expect(try devices.map { try isRefused($0, at: fixture) } == [false, true, false])
        #expect(try fixture.get("/rps/timePermit/\(devices[1].mpinID)").string("reason") == "stolen")
        let user = try fixture.administrator.user("alice")
        #expect(user.suspended == nil && user.devices.map(\.state) == [.activated, .revoked, .activated])
        #expect(try fixture.auditText().contains("revoke alice - test device 2: stolen"))
        #expect(try ClientRegistration.register("alice", code: code, at: fixture).login(at: fixture).status == 200)
        #expect(try fixture.administrator.restore("alice", device: 2) == 1)
        #expect(try devices[1].login(at: fixture).status == 200)
        #expect(try fixture.auditText().contains("restore alice - test device 2"))
    }

    @Test func `a stolen device gets no login back with its user`() throws {
        let devices = try (0..<3).map { _ in try fixture.enroll() }
        _ = try fixture.administrator.revoke("alice", device: 2, reason: "stolen")
        #expect(try fixture.administrator.revoke("alice", reason: "on leave") == 2)
        #expect(try fixture.auditText().contains("revoke alice - test user suspended, devices 1, 3: on leave"))
        #expect(try fixture.administrator.restore("alice") == 2)
        #expect(try devices.map { try isRefused($0, at: fixture) } == [false, true, false])
        // However often.
        #expect(try fixture.administrator.restore("alice") == 0)
        #expect(try devices.map { try isRefused($0, at: fixture) } == [false, true, false])
        #expect(try fixture.administrator.restore("alice", device: 2) == 1)
        #expect(try devices[1].login(at: fixture).status == 200)
    }

    @Test func `one that was revoked with its user can be held back as well`() throws {
        let devices = try (0..<2).map { _ in try fixture.enroll() }
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try fixture.administrator.revoke("alice", device: 1, reason: "stolen") == 1)
        #expect(try fixture.administrator.restore("alice") == 1)
        #expect(try devices.map { try isRefused($0, at: fixture) } == [true, false])
    }

    @Test func `only the last revocation is taken back`() throws {
        let old = try fixture.enroll()
        _ = try fixture.administrator.revoke("alice", reason: nil)
        let new = try fixture.enroll()
        #expect(try fixture.administrator.revoke("alice", reason: nil) == 1)
        #expect(try fixture.administrator.restore("alice") == 1)
        #expect(try new.login(at: fixture).status == 200)
        #expect(try isRefused(old, at: fixture))
        #expect(try fixture.administrator.user("alice").suspended == nil)
    }

    @Test func `a repeated command is one revocation`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "hold_unverified = yes\n")
        _ = try fixture.administrator.revoke("alice", reason: nil)
        // What strangers begin meanwhile makes no difference.
        _ = try fixture.put("/rps/user", ["userId": "alice"])
        _ = try fixture.administrator.revoke("alice", reason: "left")
        #expect(try fixture.administrator.user("alice").reason == "left")
        _ = try fixture.administrator.restore("alice")
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a device that its owner gave up cannot be restored`() throws {
        let devices = try (0..<2).map { _ in try fixture.enroll() }
        #expect(try devices[0].revoke(devices[0].mpinID, at: fixture).status == 200)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try fixture.administrator.restore("alice") == 1)
        #expect(try isRefused(devices[0], at: fixture))
        for change in [
            { try fixture.administrator.restore("alice", device: 1) },
            { try fixture.administrator.revoke("alice", device: 1, reason: nil) },
        ] {
            #expect { try change() } throws: { ($0 as? ServerError)?.message.contains("by its owner") == true }
        }
        #expect(try isRefused(devices[0], at: fixture))
    }

    @Test func `unblocking is for what is blocked and not revoked, or for one`() throws {
        let devices = try (0..<3).map { _ in try fixture.enroll() }
        for device in devices {
            for _ in 0..<3 { _ = try device.login(pin: "9999", at: fixture) }
        }
        _ = try fixture.administrator.revoke("alice", device: 2, reason: nil)
        #expect(try fixture.administrator.unblock("alice", device: 3) == 1)
        #expect(try devices[2].login(at: fixture).status == 200)
        #expect(try devices[0].login(at: fixture).status == 410)
        #expect(try fixture.auditText().contains("unblock alice - test device 3"))
        #expect(try fixture.administrator.unblock("alice") == 1)
        #expect(try devices[0].login(at: fixture).status == 200)
        // The revoked one is neither revived nor cleared.
        #expect { try fixture.administrator.unblock("alice", device: 2) } throws: {
            ($0 as? ServerError)?.message.contains("revoked") == true
        }
        #expect(try isRefused(devices[1], at: fixture))
        _ = try fixture.administrator.restore("alice", device: 2)
        #expect(try devices[1].login(at: fixture).status == 410)
        #expect(try fixture.administrator.unblock("alice", device: 2) == 1)
        #expect(try devices[1].login(at: fixture).status == 200)
        // Named, a device is cleared before it is blocked as well; nothing else is touched without a block.
        for device in devices.prefix(2) { _ = try device.login(pin: "9999", at: fixture) }
        #expect(try fixture.administrator.unblock("alice") == 0)
        #expect(try fixture.administrator.unblock("alice", device: 1) == 1)
        #expect(try fixture.administrator.user("alice").devices.map(\.failures) == [0, 1, 0])
        #expect(try fixture.administrator.unblock("alice", device: 1) == 0)
    }

    @Test func `a missing number is reported as missing`() throws {
        #expect(try fixture.enroll().login(at: fixture).status == 200)
        let administrator = try fixture.administrator
        for number in [0, 2, -1, Int.max] {
            for change in [
                { try administrator.unblock("alice", device: number) },
                { try administrator.restore("alice", device: number) },
                { try administrator.revoke("alice", device: number, reason: nil) },
            ] {
                #expect { try change() } throws: {
                    ($0 as? ServerError)?.kind == .noSuchDevice
                        && ($0 as? ServerError)?.message == "there is no device \(number) of alice"
                }
            }
        }
        #expect(try administrator.user("alice").state == .registered)
    }
}
