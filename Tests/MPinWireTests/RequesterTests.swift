// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

/// What a device learns about the requester of a login.
struct RequesterTests {
    private func requester(_ json: String) throws -> SessionRequester? {
        try SessionDetailsResponse.decode(Array("{\"AppName\":\"x\",\"requester\":\(json)}".utf8).span).requester
    }

    @Test func `an unreadable verdict is not a verification`() throws {
        for verdict in ["1", "\"true\"", "null", "[]", "{}", "false"] {
            #expect(try requester("{\"host\":\"gate\",\"verified\":\(verdict)}")?.isVerified == false)
        }
        #expect(try requester("{\"host\":\"gate\"}")?.isVerified == false)
        #expect(try requester("{\"host\":\"gate\",\"verified\":true}")?.isVerified == true)
    }

    @Test(arguments: ["null", "[]", "1", "\"x\"", "true"])
    func `a value that is no object is absent`(_ json: String) throws {
        #expect(try requester(json) == nil)
    }

    @Test func `older servers say nothing`() throws {
        #expect(try SessionDetailsResponse.decode(Array("{\"AppName\":\"x\"}".utf8).span).requester == nil)
    }
}
