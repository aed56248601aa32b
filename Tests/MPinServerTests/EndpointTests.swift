// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Testing

/// The table of endpoints, as clients see it.
@Suite struct EndpointTests {
    @Test func `every address in the settings leads to an endpoint, which names its methods`() throws {
        let fixture = try Fixture()
        let settings = try fixture.get("/rps/clientSettings")
        let expected = [
            ("registerURL", "", "PUT"), ("signatureURL", "/7b7d", "GET"), ("certivoxURL", "clientSecret", "GET"),
            ("certivoxURL", "timePermit", "GET"), ("timePermitsURL", "/7b7d", "GET"),
            ("mpinAuthServerURL", "/pass1", "POST"), ("mpinAuthServerURL", "/pass2", "POST"),
            ("authenticateURL", "", "POST"), ("mobileAuthenticateURL", "", "POST"), ("accessNumberURL", "", "POST"),
            ("getAccessNumberURL", "", "POST"), ("getQrUrl", "", "POST"), ("codeStatusURL", "", "POST"),
            ("setupDoneURL", "/7b7d", "POST"), ("revokeURL", "", "POST"), ("ownerURL", "", "POST"),
            ("directURL", "", "POST"), ("statusURL", "", "POST"), ("helloURL", "", "POST"),
        ]
        for (name, rest, methods) in expected {
            let path = settings.string(name)
            #expect(path.hasPrefix("/"), "\(name)")
            let refused = try fixture.send("DELETE", path + rest, [])
            #expect(refused.status == 405, "\(name)")
            #expect(refused.headers["allow"] == methods, "\(name)")
        }
    }

    @Test(arguments: [
        ("", "", ",\"invitationCode\",\"backupCodes\""),
        ("https://login.example.org/mpin", "", ",\"invitationCode\",\"backupCodes\""),
        ("https://login.example.org", "verify = hook\nverify_url = https://127.0.0.1:1/x\n", ""),
    ])
    func `the settings are the bytes that clients have always got`(
        root: String, configuration: String, extensions: String
    ) throws {
        let fixture = try Fixture(configuration: configuration, publicURL: root.isEmpty ? nil : root + "/")
        let settings = try fixture.get("/rps/clientSettings")
        let expected = """
            {"registerURL":"\(root)/rps/user","signatureURL":"\(root)/rps/signature",\
            "certivoxURL":"\(root)/dta/","mpinAuthServerURL":"\(root)/rps",\
            "authenticateURL":"\(root)/mpinAuthenticate","timePermitsURL":"\(root)/rps/timePermit",\
            "timePermitsStorageURL":"\(root)/permits","mobileAuthenticateURL":"\(root)/rps/authenticate",\
            "appID":"\(settings.string("appID"))","setupDoneURL":"\(root)/rps/setupDone",\
            "accessNumberURL":"\(root)/rps/access","getAccessNumberURL":"\(root)/rps/getAccessNumber",\
            "getQrUrl":"\(root)/rps/getQrUrl","codeStatusURL":"\(root)/rps/codeStatus",\
            "revokeURL":"\(root)/mpinRevoke","directURL":"\(root)/mpinDirect","ownerURL":"\(root)/mpinOwner",\
            "statusURL":"\(root)/mpinStatus","helloURL":"\(root)/mpinHello",\
            "usePermits":true,"accessNumberDigits":7,"accessNumberUseCheckSum":true,"cSum":1,\
            "requestOTP":false,"setDeviceName":false,\
            "useWebSocket":false,"useNFC":false,\
            "extensions":["passId","attemptsLeft","revoke","requester","deny","owner",\
            "deviceKey","direct","status","proof","sshCertificates"\(extensions)],\
            "serverId":"\(settings.string("serverId"))","serverKey":"\(settings.string("serverKey"))",\
            "seedValue":"\(settings.string("seedValue"))"}
            """
        #expect(settings.text == expected)
        // Old web clients do not start without a seed, which is another one each time.
        let seeds = try [settings, fixture.get("/rps/clientSettings")].map { $0.string("seedValue") }
        #expect(seeds[0] != seeds[1] && unhex(seeds[0]).count == 100)
        #expect(try hex(Hash.sha256(unhex(settings.string("serverKey")))) == settings.string("serverId"))
    }

    @Test func `endpoints of one path share the methods they name`() throws {
        let fixture = try Fixture()
        #expect(try fixture.send("POST", "/", []).headers["allow"] == "GET, HEAD")
        #expect(try fixture.send("DELETE", "/logout", []).headers["allow"] == "GET, POST")
        #expect(try fixture.send("DELETE", "//rps///user/", []).headers["allow"] == "PUT")
        #expect(try fixture.send("PUT", "/rps/user/7b7d/7b7d", []).status == 404)
        #expect(try fixture.send("GET", "/rps/signature", []).status == 404)
        #expect(try fixture.send("GET", "/rps/clientSettings/7b7d", []).status == 404)
    }

    @Test func `requests that write, and those that verify a login, wait on threads of their own`() throws {
        let server = try Fixture().current
        let expected: [(String, String, RequestClass)] = [
            ("POST", "/rps/pass1", .immediate), ("POST", "/rps/pass2", .verifying), ("PUT", "/rps/user", .registering),
            ("PUT", "/rps/user/7b7d", .registering), ("GET", "/rps/signature/7b7d", .registering),
            ("GET", "/rps/clientSettings", .reading), ("POST", "/mpinAuthenticate", .reading),
            ("POST", "/mpinRevoke", .registering), ("DELETE", "/mpinRevoke", .reading), ("POST", "/x", .reading),
            ("POST", "/mpinDirect", .verifying), ("POST", "/mpinStatus", .reading),
            ("POST", "/mpinHello", .reading),
        ]
        for (method, target, requestClass) in expected {
            let request = Request(method: method, target: target, source: .user(1_000))
            #expect(server.route(request).requestClass == requestClass, "\(method) \(target)")
        }
    }
}
