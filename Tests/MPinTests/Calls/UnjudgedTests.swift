// SPDX-License-Identifier: Apache-2.0
import MPin
import TestPeers
import Testing

/// The client's results for answers that report that nothing was judged.
@Suite struct UnjudgedTests {
    private func failure(_ status: Int, at path: String) throws -> MPinError {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        let reference = fixture.reference
        fixture.server.answer { $0.path == path ? .status(status) : reference.answer($0) }
        return try #require(#expect(throws: MPinError.self) { try client.logIn(user, "4962") })
    }

    @Test(arguments: [503]) func `a pass two that was not judged has not counted`(status: Int) throws {
        #expect(try failure(status, at: "/rps/pass2").pinChecked == MPinError.PINChecked.no)
    }

    /// By then pass 2 has been judged, whatever the last answer is.
    @Test(arguments: [503]) func `a final call comes after the judgment`(status: Int) throws {
        #expect(try failure(status, at: "/mpinAuthenticate").pinChecked != MPinError.PINChecked.no)
    }
}
