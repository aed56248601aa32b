// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Testing

/// Whatever is sent, the answer blames the sender.
@Suite struct MalformedTests {
    private static let targets: [(method: String, target: String)] = [
        ("PUT", "/rps/user"), ("PUT", "/rps/user/7b7d"), ("POST", "/rps/pass1"), ("POST", "/rps/pass2"),
        ("POST", "/mpinAuthenticate"), ("POST", "/rps/authenticate"), ("POST", "/mpinRevoke"), ("POST", "/rps/access"),
        ("POST", "/rps/accessnumber"), ("POST", "/rps/codeStatus"), ("POST", "/otp"), ("POST", "/logout"),
    ]

    private static let bodies: [String] = [
        "", " ", "{", "}", "[]", "{}", "null", "0", "\"x\"", "{\"userId\":1}", "{\"userId\":\"a\",\"userId\":\"b\"}",
        "{\"userId\":\"a\",\"mobile\":\"x\"}", "{\"userId\":\"a\",\"mobile\":null}", "{\"userId\":\"\\u0000\"}",
        "{\"userId\":\"\\ud800\"}", "{\"userId\":\"a\",\"activateCode\":17}",
        "{\"mpin_id\":\"zz\",\"U\":\"\",\"UT\":\"\"}",
        "{\"mpin_id\":\"7b7d\",\"U\":\"00\",\"UT\":\"00\",\"V\":\"00\"}", "{\"mpin_id\":\"\",\"V\":\"\"}",
        "{\"mpinResponse\":1}", "{\"mpinResponse\":{}}", "{\"mpinResponse\":{\"authOTT\":\"\"}}",
        "{\"mpinResponse\":{\"authOTT\":\"xyz\"}}", "{\"mpinResponse\":{\"authOTT\":{}}}", "{\"x\":1}", "nojson",
        String(repeating: "[", count: 5_000), "{\"a\":" + String(repeating: "{\"a\":", count: 500) + "1",
        "{\"userId\":\"" + String(repeating: "x", count: 60_000) + "\"}",
    ]

    @Test(arguments: targets.indices)
    func `no body makes the server fail`(_ index: Int) throws {
        let fixture = try Fixture()
        let (method, target) = Self.targets[index]
        for body in Self.bodies {
            let answer = try fixture.send(method, target, Array(body.utf8))
            #expect(400...499 ~= answer.status, "\(target) \(body.prefix(60)): \(answer.status)")
            #expect(!answer.object.isEmpty)
        }
        for bytes in [[0xFF, 0xFE], [0x7B, 0x22, 0xC0, 0xAF, 0x22, 0x7D], [UInt8](repeating: 0, count: 100)]
            as [[UInt8]]
        {
            #expect(400...499 ~= (try fixture.send(method, target, bytes).status))
        }
        let large = [UInt8](repeating: UInt8(ascii: " "), count: 65_537)
        #expect(try fixture.send(method, target, large).status == 413)
    }

    @Test(arguments: [
        "/rps/signature/zz?regOTT=1", "/rps/signature/abc?regOTT=00", "/rps/signature/7b7d?regOTT=zz",
        "/rps/signature/7b7d",
        "/rps/signature/7b7d?regOTT=00&regOTT=01", "/rps/signature/7b7d?regOTT=%zz", "/rps/signature/?regOTT=00",
        "/rps/timePermit/abc", "/rps/timePermit/", "/rps/timePermit/7b7d", "/rps/timePermit/%37b7d",
        "/dta/clientSecret", "/dta/clientSecret?app_id=x",
        "/dta/clientSecret?app_id=&expires=&hash_mpin_id=&hash_user_id=&signature=",
        "/dta/clientSecret?app_id=x&expires=never&hash_mpin_id=00&hash_user_id=&signature=00",
        "/dta/timePermit", "/dta/timePermit?hash_mpin_id=00&signature=00", "/dta/timePermit?count=99999999999999999999",
        "/dta/serverSecret", "/serverSecret", "/user/7b7d", "/authenticate", "/loginResult", "/rps", "/rps/",
        "/nothing",
        "/permits/x/20777/y", "/..", "/%00", "/rps/clientSettings/x", "/rps/../etc/passwd", "//",
        "/rps//clientSettings",
    ])
    func `no address makes the server fail`(_ target: String) throws {
        let answer = try Fixture().get(target)
        #expect(200...499 ~= answer.status, "\(answer.status)")
    }
}
