// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Input that is no direct login, although it is signed.
@Suite struct DirectInputTests {
    @Test(arguments: [
        ("hovercraft", ""), ("login", "x"), ("Login", ""), ("", ""), ("changePin", "1"), ("otp", "0"), ("session", ""),
        ("session", "a b"), ("session", "1234567:"), ("session", "1234567:" + String(repeating: "a", count: 62)),
        ("session", "1234567:" + String(repeating: "A", count: 64)),
        ("session", ":" + String(repeating: "a", count: 64)),
        ("session", "1:2:" + String(repeating: "a", count: 64)), ("revoke", ""), ("revoke", "7B7D"), ("revoke", "7b7"),
        ("devices", "1"), ("invite", "060"),
        ("invite", "59"), ("invite", "3601"), ("invite", "-60"), ("makeBackupCodes", "0"), ("makeBackupCodes", "21"),
        ("makeBackupCodes", "1.5"), ("revokeDevice", "+1"), ("revokeDevice", ""), ("signOut", "ALL"),
        ("confirmBackupCodes", "99999999999999999999"), ("revoke", String(repeating: "7b", count: 9_000)),
    ])
    func `unknown purposes and arguments are malformed, and nothing is judged`(purpose: String, argument: String) throws
    {
        let (fixture, alice) = try Fixture.withDevice()
        for pin in ["1234", "9999"] {
            #expect(try alice.login(pin: pin, purpose, argument, at: fixture).status == 400)
        }
        #expect(try fixture.shown().failures == 0)
    }

    @Test func `members that lack or are of another form are malformed`() throws {
        let (fixture, alice) = try Fixture.withDevice()
        let good = try DirectRequest(alice).object
        for name in ["mpin_id", "U", "V", "time", "purpose", "signature"] {
            for value: Any? in [nil, "", "zz", 0, -1, true, [String](), NSNull()] {
                var object = good
                object[name] = value
                #expect(try fixture.post("/mpinDirect", object).status == 400, "\(name) \(String(describing: value))")
            }
        }
        let infinity = "04" + String(repeating: "0", count: 128)
        for (name, value) in [
            ("U", infinity), ("V", infinity), ("U", hex(alice.key.publicKey)), ("signature", "00"),
            ("signature", String(repeating: "0", count: 130)), ("time", "1e400"),
        ] {
            var object = good
            object[name] = value
            #expect(try fixture.post("/mpinDirect", object).status == 400, "\(name)")
        }
        for body in ["", "{}", "[]", "null", "{\"mpin_id\":"] {
            #expect(try fixture.post("/mpinDirect", Array(body.utf8)).status == 400)
        }
        #expect(try fixture.post("/mpinDirect", good).status == 200)
    }

    @Test func `a key that is not a point registers nothing`() throws {
        let fixture = try Fixture()
        let key = try DeviceSecret().publicKey
        var offCurve = key
        offCurve[64] ^= 1
        let keys: [[UInt8]] = [
            offCurve, [UInt8](repeating: 0, count: 65), [4] + [UInt8](repeating: 0, count: 64),
            [4] + [UInt8](repeating: 0xFF, count: 64), [6] + key.dropFirst(), Array(key.prefix(33)), [0], key + [0],
            [2] + key[1..<33],
        ]
        let code = try fixture.invite("alice")
        for bytes in keys {
            let answer = try fixture.put(
                "/rps/user", ["userId": "alice", "activateCode": code, "deviceKey": hex(bytes)])
            #expect(answer.status == 400, "\(hex(bytes))")
        }
        let null = try fixture.put("/rps/user", ["userId": "alice", "activateCode": code, "deviceKey": NSNull()])
        #expect(null.status == 400 && null.string("message").contains("deviceKey"))
        // The code is not used up.
        let answer = try fixture.put("/rps/user", ["userId": "alice", "activateCode": code, "deviceKey": hex(key)])
        #expect(answer.status == 200)
    }
}
