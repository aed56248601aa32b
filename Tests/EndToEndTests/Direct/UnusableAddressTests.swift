// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

extension EndToEnd {
    /// Settings without an address that an enrollment needs only after its code is used up.
    @Suite struct UnusableAddressTests {
        @Test func `nothing is asked for, and no code is used up`() throws {
            let machine = try Machine()
            let code = try machine.invitation()
            let bad = try CountingRelay(machine) { $0[.certivoxURL] = "file:///etc/passwd" }
            let refused = try machine.enroll("register", "--code", code, at: bad, pin: "4962")
            #expect(refused.status == 76 && refused.errors.contains("lack a usable address"), "\(refused.all)")
            #expect(!bad.requests.contains { $0.contains("/rps/user") }, "\(bad.requests)")
            // The address of the direct login is fixed.
            let relay = try CountingRelay(machine) { $0[.directURL] = "file:///etc/passwd" }
            let run = try machine.enroll("register", "--code", code, at: relay, pin: "4962")
            #expect(run.status == 0, "\(run.all)")
        }
    }
}
