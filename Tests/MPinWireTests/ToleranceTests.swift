// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

/// Unspecified members that real peers send.
struct ToleranceTests {
    func settings(_ changes: [(String, String?)]) throws -> ClientSettings {
        try ClientSettings.decode(settingsBody(changes).span)
    }

    func settingsBody(_ changes: [(String, String?)]) -> [UInt8] {
        var members = Samples.registration[0].members
        for (name, value) in changes {
            members.removeAll { $0.name == name }
            if let value { members.append((name, value)) }
        }
        return Sample.body(members)
    }

    @Test
    func `settings of servers that know less have their defaults`() throws {
        let names = [
            "cSum", "accessNumberDigits", "extensions", "serverId", "revokeURL", "mobileAuthenticateURL", "requestOTP",
        ]
        let settings = try settings(names.map { ($0, nil) })
        #expect(settings.usesPermits)
        #expect(settings[number: .checkSum] == nil)
        #expect(settings[number: .accessNumberDigits] == nil)
        #expect(settings.serverID == nil)
        #expect(!settings.offers(.revoke))
        #expect(settings[.mobileAuthenticateURL] == nil)
    }

    @Test
    func `permit URLs are needed only where permits are`() throws {
        #expect(try settings([("usePermits", "false"), ("timePermitsURL", nil)])[.timePermitsURL] == nil)
        #expect(throws: WireError.missing(.timePermitsURL)) {
            try settings([("usePermits", "true"), ("timePermitsURL", nil)])
        }
        #expect(throws: WireError.invalid(.usePermits)) { try settings([("usePermits", "0")]) }
    }

    @Test
    func `a bad member for user interfaces does not break the settings`() throws {
        let settings = try settings([
            ("accessNumberDigits", "\"7\""), ("requestOTP", "1"), ("useNFC", "[]"), ("cSum", "null"),
            ("setDeviceName", "{}"),
        ])
        #expect(!settings[flag: .requestOTP])
        #expect(settings.offers(.revoke))
    }

    @Test(arguments: [
        ("accessNumberDigits", "7"), ("requestOTP", "false"), ("registerURL", "/rps/user"), ("nothing", ""),
        ("extensions", ""), ("timePermitsStorageURL", ""),
    ])
    func parameters(_ name: String, _ value: String) throws {
        #expect(try settings([]).parameter(name) == value)
        #expect(try settings([("x", "2.9")]).parameter("x") == "2")
    }

    @Test
    func `stored settings read the same as the original`() throws {
        let values = [nil, "null", "true", "false", "7", "\"\"", "\"ab\"", "[]", "[\"a\"]", "[7]", "{}"]
        var read = 0
        for field in MemberName.allCases {
            for value in values {
                for usesPermits in ["true", "false"] {
                    let body = settingsBody([("usePermits", usesPermits), ("\(field.name)", value)])
                    guard let settings = try? ClientSettings.decode(body.span) else { continue }
                    read += 1
                    let kept = try ClientSettings.decode(settings.encode().span)
                    #expect(kept.encode() == settings.encode(), "\(text(body))")
                    #expect(kept.usesPermits == settings.usesPermits)
                    #expect(kept[.timePermitsURL] == settings[.timePermitsURL])
                    #expect(kept[.timePermitsStorageURL] == settings[.timePermitsStorageURL])
                    #expect(kept[.appID] == settings[.appID])
                    #expect(kept.serverID == settings.serverID)
                    #expect(kept.offers(.revoke) == settings.offers(.revoke))
                }
            }
        }
        #expect(read > MemberName.allCases.count * 10)
    }

    @Test func `a client reads what a server sets`() throws {
        var settings = ClientSettings([
            .registerURL: "/r", .signatureURL: "/s", .certivoxURL: "/c/", .timePermitsURL: "/t",
            .mpinAuthServerURL: "/m", .authenticateURL: "/a",
        ])
        settings[.registerURL] = "/\"r\""
        settings[.appID] = "ab"
        settings[.appID] = nil
        settings[.revokeURL] = "/revoke"
        settings[number: .checkSum] = 1
        settings[flag: .usePermits] = false
        settings.serverID = HexText(bytes: [0xC0, 0xFF])
        settings.extensions = [.passID]
        settings.extensions.append(.mail)
        let read = try ClientSettings.decode(settings.encode().span)
        #expect(read[.registerURL] == "/\"r\"" && read[.certivoxURL] == "/c/" && read[.revokeURL] == "/revoke")
        #expect(read[.appID] == nil && read[number: .checkSum] == 1 && read[number: .accessNumberDigits] == 7)
        #expect(!read.usesPermits && read[flag: .accessNumberUseCheckSum] && !read[flag: .requestOTP])
        #expect(read.serverID == HexText(bytes: [0xC0, 0xFF]))
        #expect(read.extensions == [.passID, .mail] && !read.offers(.revoke))
    }

    @Test(arguments: [("0", false), ("1", false), ("\"true\"", false), ("{}", false), ("true", true), ("false", false)])
    func active(_ value: String, _ active: Bool) throws {
        let sample = Samples.registration[2]
        #expect(try RegisterResponse.decode(sample.body(replacing: "active", by: value).span).active == active)
    }

    @Test(arguments: [
        ("1", 1), ("0", 0), ("\"1\"", 1), ("\"0\"", 0), ("true", 1), ("false", 0), ("null", 0), ("2", 1),
    ])
    func mobile(_ value: String, _ mobile: Int) throws {
        let body = Sample.body([("userId", "\"b\""), ("mobile", value)])
        #expect(try RegisterRequest.decode(body.span).mobile == mobile)
    }

    @Test(arguments: ["\"phone\"", "[]", "1.5", "\"\""])
    func `not mobile`(_ value: String) {
        let body = Sample.body([("userId", "\"b\""), ("mobile", value)])
        #expect(throws: WireError.invalid(.mobile)) { try RegisterRequest.decode(body.span) }
    }

    @Test(arguments: [
        "\"\"", "\"a\\u00e9\"", "{\"a\": [1, 2]}", "[]", "0", "true", "null",
    ])
    func `any JSON may be the application's data, and is passed on as it is`(_ value: String) throws {
        let body = Sample.body([("userId", "\"b\""), ("userData", value)])
        #expect(try RegisterRequest.decode(body.span).userData.map { text($0) } == value)
    }

    @Test(
        arguments: [
            (nil, nil), ("\"0\"", nil), ("\"\"", nil), ("0", nil), ("null", nil), ("\"4241703\"", "4241703"),
            ("\"ad721901608b401eaeb13bcf84992801\"", "ad721901608b401eaeb13bcf84992801"),
        ] as [(String?, String?)])
    func wid(_ value: String?, _ wid: String?) throws {
        var members = Samples.login[2].members.filter { $0.name != "WID" }
        if let value { members.append(("WID", value)) }
        #expect(try PassTwoRequest.decode(Sample.body(members).span).session?.string == wid)
    }

    @Test(arguments: ["1", "\"4 2\"", "\"é\"", "[]", "\"\(digits(33))\""])
    func `not WID`(_ value: String) {
        #expect(throws: WireError.invalid(.wid)) {
            try PassTwoRequest.decode(Samples.login[2].body(replacing: "WID", by: value).span)
        }
    }

    @Test(arguments: [("true", true), ("false", false), ("1", true), ("0", false), ("null", false)])
    func `wants OTP`(_ value: String, _ wants: Bool) throws {
        #expect(try PassTwoRequest.decode(Samples.login[2].body(replacing: "OTP", by: value).span).wantsOTP == wants)
    }

    @Test(arguments: [
        ("\"000000\"", true), ("\"12345\"", false), ("\"1234567\"", false), ("123456", false),
        ("\"12345a\"", false), ("null", false),
    ])
    func `a one-time password is six digits or none`(_ value: String, _ valid: Bool) throws {
        let body = Samples.login[3].body(replacing: "OTP", by: value)
        let otp = try PassTwoResponse.decode(body.span).otp
        #expect((otp != nil) == valid)
    }

    @Test
    func `an empty UT means that permits are off`() throws {
        let body = Samples.login[0].body(replacing: "UT", by: "\"\"")
        let request = try PassOneRequest.decode(body.span)
        #expect(request.ut == nil)
        #expect(try PassOneRequest.decode(request.encode().span).ut == nil)
    }

    @Test
    func `the final answer may be empty or anything, but who logged in must be readable`() throws {
        let empty = try AuthenticateResponse(Array(" \n".utf8).span)
        #expect(empty.isEmpty && empty.raw == "{}" && empty.userID == nil)
        let foreign = try AuthenticateResponse(Array("{\"someUserData\":\"x\",\"logoutData\":\"\"}".utf8).span)
        #expect(!foreign.isEmpty && foreign.userID == nil && foreign.logoutData == nil)
        for bad in ["{\"userId\":null}", "{\"userId\":1}", "{\"serverId\":\"xx\"}", "{\"serverId\":null}", "[]", "OK"] {
            #expect(throws: WireError.self) { try AuthenticateResponse(Array(bad.utf8).span) }
        }
        let full = try AuthenticateResponse(Samples.login[5].body.span)
        #expect(full.logoutURL == "/logout")
        #expect(full.otpTimes?.ttlSeconds == 60)
    }

    @Test
    func `the one-time password does not go back in the final step`() throws {
        let request = try AuthenticateRequest.decode(Samples.login[4].body.span)
        #expect(!text(request.encode()).contains("OTP"))
    }

    @Test(
        arguments: [
            ("", nil), ("<html>", nil), ("{\"attemptsLeft\":2}", 2), ("{\"attemptsLeft\":0}", 0),
            ("{\"attemptsLeft\":-1}", nil),
            ("{\"attemptsLeft\":1000000000}", nil), ("{\"attemptsLeft\":\"2\"}", nil), ("{\"attemptsLeft\":1.0}", nil),
        ] as [(String, Int?)])
    func refusals(_ body: String, _ left: Int?) {
        #expect(RefusalBody.decode(Array(body.utf8).span).attemptsLeft == left)
        let written = RefusalBody(attemptsLeft: left, message: "No.").encode(status: 401)
        #expect(RefusalBody.decode(written.span).attemptsLeft == left)
    }

    @Test
    func `both ways of polling are understood`() throws {
        func read(_ body: String) throws -> AccessPollResponse { try AccessPollResponse.decode(Array(body.utf8).span) }
        guard case .authenticated = try read("{\"authOTT\":\"\(digits(16))\"}") else { return #expect(Bool(false)) }
        guard case .user(let user) = try read("{\"status\":\"user\",\"userId\":\"bob\",\"authOTT\":\"\"}") else {
            return #expect(Bool(false))
        }
        #expect(user == "bob")
        guard case .expired = try read("{\"status\":\"expired\",\"statusCode\":0}") else { return #expect(Bool(false)) }
        #expect(throws: WireError.invalid(.status)) { try read("{\"status\":\"other\"}") }
    }

    @Test
    func `an M-Pin ID of an older server is read for its identity`() throws {
        let old = "{\"issued\":\"2014-01-02T03:04:05Z\",\"userID\":\"bob\",\"mobile\":0,\"salt\":\"0011223344556677\"}"
        let record = try MPinIDRecord.decode(Array(old.utf8).span)
        #expect(record.userID == "bob" && record.salt.count == 8)
        let ours = MPinIDRecord(userID: "DOM\\jörg", mobile: 1, issued: "2026-03-04 05:06:07", salt: [1, 2]).encode()
        #expect(ours.allSatisfy { $0 < 0x80 })
        #expect(try MPinIDRecord.decode(ours.span).userID == "DOM\\jörg")
    }
}
