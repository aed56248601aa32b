// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

extension EndToEnd {
    /// Settings without an address that an enrollment needs only after its code is used up.
    @Suite struct UnusableAddressTests {
        @Test func `nothing is asked for, and no code is used up`() throws {
            let machine = try Machine()
            let code = try machine.invitation()
            for setting in [MemberName.directURL, .certivoxURL] {
                let relay = try CountingRelay(machine) { $0[setting] = "file:///etc/passwd" }
                let run = try machine.enroll("register", "--code", code, at: relay, pin: "4962")
                #expect(run.status == 76 && run.errors.contains("lack a usable address"), "\(run.all)")
                #expect(!relay.requests.contains { $0.contains("/rps/user") }, "\(relay.requests)")
            }
            let relay = try CountingRelay(machine)
            let run = try machine.enroll("register", "--code", code, at: relay, pin: "4962")
            #expect(run.status == 0, "\(run.all)")
        }
    }
}
