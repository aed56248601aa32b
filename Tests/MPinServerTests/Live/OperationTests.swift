// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// What happens to a server between its start and its end, apart from requests.
@Suite(.serialized) struct OperationTests {
    @Test func `SIGHUP ends nothing, and reports problems of the configuration`() throws {
        let server = try RunningServer()
        let file = URL(fileURLWithPath: server.directory + "/server.conf")
        kill(server.processIdentifier, SIGHUP)
        #expect(becomes { server.logText.contains("reloaded the configuration") })
        try Data("nonsense = 1\n".utf8).write(to: file)
        kill(server.processIdentifier, SIGHUP)
        #expect(
            becomes {
                server.logText.contains("keeping the previous configuration: \(file.path):1: unknown key 'nonsense'")
            })
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
        #expect(server.stop() == 0)
    }

    @Test(arguments: [("public_url = https://login.example.org\n", true), ("", false)])
    func `browsers are sent to TLS where they can use it`(_ configuration: String, _ isTold: Bool) throws {
        let server = try RunningServer(configuration: configuration)
        for path in ["/", "/nothing", "/rps/clientSettings"] {
            let told = try server.peer.get(path).headers["strict-transport-security"]
            #expect(told == (isTold ? "max-age=31536000" : nil))
        }
    }
}
