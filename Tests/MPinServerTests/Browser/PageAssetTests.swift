// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Testing

/// The page and what belongs to it, as a browser gets them.
@Suite struct PageAssetTests {
    @Test func `the page holds nothing that its policy would have to excuse`() throws {
        let fixture = try Fixture(configuration: "service_name = <b>\"Q&A\"</b>\n")
        let page = try fixture.get("/")
        #expect(page.status == 200)
        #expect(page.text.contains("&lt;b&gt;&quot;Q&amp;A&quot;&lt;/b&gt;"))
        #expect(!page.text.contains("<b>"))
        for part in ["style=", "onclick", "onload", "javascript:", "http://", "https://", "<script>", "<style"] {
            #expect(!page.text.contains(part), "\(part)")
        }
        let policy = page.headers["content-security-policy"] ?? ""
        #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("*"))
        #expect(page.text.contains("<noscript>"))
    }

    @Test(arguments: [
        ("/mpin.css", "text/css"), ("/mpin.js", "text/javascript"), ("/mpin.svg", "image/svg+xml"),
    ])
    func `what belongs to it is there, and fetches nothing from elsewhere`(_ path: String, _ type: String) throws {
        let fixture = try Fixture()
        let response = try fixture.current.respond(path)
        #expect(response.status == 200)
        #expect(response.contentType.hasPrefix(type))
        let text = String(decoding: response.body, as: UTF8.self)
        for part in ["innerHTML", "insertAdjacentHTML", "document.write", "eval(", "@import", "url(", "https://"] {
            #expect(!text.contains(part), "\(part)")
        }
        #expect(try fixture.post(path, []).status == 405)
    }

    @Test func `a code to scan is drawn for numbers, by the configured address alone`() throws {
        let fixture = try Fixture(publicURL: "https://login.example.org")
        let plain = try fixture.get("/qr.svg?number=4241703")
        let poisoned = try fixture.with(["host": "evil.invalid"]).get("/qr.svg?number=4241703")
        #expect(plain.status == 200)
        #expect(plain.text.hasPrefix("<svg "))
        #expect(plain.body == poisoned.body)
        #expect(try fixture.get("/qr.svg?number=6418791").body != plain.body)
        for query in [
            "", "?number=", "?number=4241704", "?number=424170", "?number=%3Csvg", "?text=x", "?number=424170x",
        ] {
            #expect(try fixture.get("/qr.svg\(query)").status == 404, "\(query)")
        }
        #expect(try Fixture().get("/qr.svg?number=4241703").status == 404)
    }
}

extension LoginServer {
    fileprivate func respond(_ target: String) throws -> Response {
        guard
            case .now(let response) = result(
                of: route(Request(method: "GET", target: target, source: .user(1_000))))
        else {
            throw CancellationError()
        }
        return response
    }
}
