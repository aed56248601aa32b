// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

@Suite struct OneTimePasswordTests {
    @Test func `times are in seconds`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        let otp = try client.oneTimePassword(user, "4962")
        #expect(otp.status == .ok)
        #expect(otp.otp == HostedServer.oneTimePassword)
        #expect(otp.expireTime == 1_795_217_710 && otp.nowTime == 1_795_217_650 && otp.ttlSeconds == 60)
        #expect(fixture.hosted.bodies("/rps/pass2").last?["OTP"] as? Bool == true)
        let posted = try #require(fixture.hosted.bodies("/mpinAuthenticate").last?["mpinResponse"]) as? [String: Any]
        #expect(posted?["OTP"] == nil && posted?["authOTT"] != nil)
    }

    @Test(arguments: [
        "", "\"OTP\":\"\"", "\"OTP\":null", "\"OTP\":\"12345\"", "\"OTP\":\"1234567\"", "\"OTP\":\"12345a\"",
        "\"OTP\":123456",
    ]) func `a missing password is a flow error beside a success`(member: String) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        fixture.alter("/rps/pass2") { answer in
            let usual = String(decoding: answer.body, as: UTF8.self).replacing(/,"OTP":"\d+"/, with: "").dropLast()
            return .json(Array((usual + (member.isEmpty ? "}" : "," + member + "}")).utf8))
        }
        try expectNone(client.oneTimePassword(user, "4962"))
    }

    @Test(arguments: [
        "{}", "{\"expireTime\":1,\"ttlSeconds\":60}", "{\"expireTime\":1000,\"ttlSeconds\":0,\"nowTime\":1000}",
        "{\"expireTime\":\"1000\",\"ttlSeconds\":60,\"nowTime\":1000}",
        "{\"expireTime\":-1,\"ttlSeconds\":60,\"nowTime\":1}",
        "{\"expireTime\":99999999999999999999,\"ttlSeconds\":60,\"nowTime\":1}",
    ]) func `without times there is none`(answer: String) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        fixture.answer("/mpinAuthenticate", .status(200, answer))
        try expectNone(client.oneTimePassword(user, "4962"))
    }

    private func expectNone(_ otp: OTP) {
        #expect(otp.status == .flowError)
        #expect(otp.otp.isEmpty)
        #expect(otp.expireTime == 0 && otp.ttlSeconds == 0 && otp.nowTime == 0)
    }

    @Test func `an ordinary login asks for none`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        let result = try client.logIn(user, "4962")
        #expect(fixture.hosted.bodies("/rps/pass2").last?["OTP"] as? Bool == false)
        #expect(result.data.contains("\"expireTime\""))
    }

    @Test func `a platform gives a code`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        #expect(try client.authorizationCode(user, "4962") == "3f1a")
        for answer in ["{}", "{\"code\":\"\"}", "{\"code\":7}"] {
            fixture.answer("/mpinAuthenticate", .status(200, answer))
            #expect(try status { _ = try client.authorizationCode(user, "4962") } == .responseParseError)
        }
    }
}
