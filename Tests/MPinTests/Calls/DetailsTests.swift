// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinWire
import TestPeers
import Testing

/// What can be learned from a server before and beside a login.
@Suite struct DetailsTests {
    @Test func `C12: details of a service need no chosen server`() throws {
        let fixture = try HostedFixture()
        let client = Client(try fixture.open())
        for suffix in ["", "/", "#code"] where !(suffix == "/") {
            let details = try client.mpin.getServiceDetails(fixture.server.url + suffix)
            #expect(details.name == "Demo" && details.backendURL == "https://h")
            #expect(details.rpsPrefix == "rps" && details.logoURL.isEmpty)
        }
        #expect(fixture.server.requests == ["GET /service", "GET /service"])
        for address in ["http://h/", "h", "", "unix:relative", "#unix:/a"] {
            #expect(try status { _ = try client.mpin.getServiceDetails(address) } == .flowError)
        }
    }

    @Test(arguments: [
        "", "{}", "[]", HostedServer.service.replacing("online", with: "offline"),
        HostedServer.service.replacing("\"name\":\"Demo\",", with: ""),
        HostedServer.service.replacing("\"url\"", with: "\"uri\""),
        HostedServer.service.replacing("\"logo_url\":\"\",", with: ""),
        HostedServer.service.replacing("\"rps_prefix\":\"rps\"", with: "\"rps_prefix\":1"),
        HostedServer.service.replacing(",\"type\":\"online\"", with: ""),
    ]) func `a service must say everything`(body: String) throws {
        let fixture = try HostedFixture()
        fixture.answer("/service", .status(200, body))
        let client = Client(try fixture.open())
        #expect(
            try status { _ = try client.mpin.getServiceDetails(fixture.server.url) } == .responseParseError)
    }

    @Test(arguments: [
        ("{\"prerollId\":\"a\",\"appName\":\"b\",\"appLogoURL\":\"c\"}", ["a", "b", "c"]),
        ("{\"PrerollId\":\"a\",\"AppName\":\"b\",\"AppLogoUrl\":\"c\"}", ["a", "b", "c"]),
        ("{\"Status\":\"OK\"}", ["", "", ""]), ("", ["", "", ""]),
        ("{\"prerollId\":7,\"appName\":null,\"appLogoURL\":{}}", ["", "", ""]),
    ]) func `session details in both spellings`(body: String, expected: [String]) throws {
        let fixture = try HostedFixture()
        fixture.answer("/rps/codeStatus", .status(200, body))
        let client = try fixture.client()
        let details = try client.mpin.getSessionDetails("4241703")
        #expect([details.prerollID, details.appName, details.appLogoURL] == expected)
        #expect(
            fixture.hosted.bodies("/rps/codeStatus").last as? [String: String] == ["status": "wid", "wid": "4241703"])
    }

    @Test func `session details need a server`() throws {
        let fixture = try Fixture()
        let client = Client(try fixture.open())
        #expect(try status { _ = try client.mpin.getSessionDetails("4241703") } == .flowError)
        // A server without such sessions is not asked.
        try client.mpin.setBackend(fixture.server.url)
        fixture.server.forget()
        let details = try client.mpin.getSessionDetails("4241703")
        #expect(details.appName.isEmpty && fixture.server.requests.isEmpty)
    }

    @Test func `C12: parameters that are not there stay so`() throws {
        let fixture = try HostedFixture()
        let client = Client(try fixture.open())
        #expect(client.parameter("registerURL").isEmpty)
        let settings =
            "{\"text\":\"a\\u00e9\",\"whole\":7,\"cut\":12.9,\"below\":-3.7,\"yes\":true,\"no\":false,\"none\":null,"
            + "\"list\":[1],\"object\":{\"text\":\"x\"},"
        fixture.alter("/rps/clientSettings") { .json(Array(settings.utf8) + $0.body.dropFirst()) }
        try client.mpin.setBackend(fixture.server.url)
        let expected = [
            "text": "a\u{e9}", "whole": "7", "cut": "12", "below": "-3", "yes": "true", "no": "false", "none": "",
            "list": "", "object": "", "missing": "", "": "", "registerURL": "//rps/user",
        ]
        for _ in 1...2 {
            for (name, value) in expected { #expect(client.parameter(name) == value, "\(name)") }
        }
    }

    @Test func `the protocol may lie below another path`() throws {
        let fixture = try Fixture()
        let reference = fixture.reference
        fixture.server.answer { exchange in
            guard exchange.path == "/a/b/clientSettings" else { return reference.answer(exchange) }
            return reference.answer(Exchange(method: "GET", path: "/rps/clientSettings", query: "", body: []))
        }
        let client = Client(try fixture.open())
        try client.mpin.testBackend(fixture.server.url, rpsPrefix: "/a/b/")
        #expect(client.mpin.backend == nil)
        try client.mpin.setBackend(fixture.server.url, rpsPrefix: "a/b")
        #expect(fixture.server.requests == ["GET /a/b/clientSettings", "GET /a/b/clientSettings"])
        let user = client.mpin.makeUser("alice@example.org")
        try client.register(user)
        // It is kept with the registration.
        let later = Client(try fixture.open())
        try later.mpin.selectBackend(fixture.server.url)
        let listed = later.mpin.users.first
        try later.logIn(try #require(listed), "4962")
        #expect(fixture.server.requests.contains("GET /a/b/clientSettings"))
        #expect(!fixture.server.requests.contains("GET /rps/clientSettings"))
        for prefix in ["", "/", "a b", "a?b", "a#b", "\u{e9}", String(repeating: "a", count: 65)] {
            #expect(try status { try client.mpin.testBackend(fixture.server.url, rpsPrefix: prefix) } == .flowError)
        }
    }

    @Test func `the version has three numbers`() {
        #expect(MPinClient.version.split(separator: ".").count == 3)
    }
}
