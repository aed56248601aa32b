// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A PAM login whose token was made of the shares of two processes.
@Suite(.serialized) struct TwoHostLoginTests {
    @Test func `a login through libpam needs both hosts once, and the relying party alone from then on`() throws {
        let hosts = try TwoHosts()
        #expect(try hosts.register().code == 0)
        #expect(try hosts.login(pin: "4962").output.contains("successfully authenticated"))
        let wrong = try hosts.login(pin: "4963")
        #expect(wrong.code != 0 && wrong.errors.contains("Authentication failure"), "\(wrong.output)\(wrong.errors)")
        hosts.stopAuthority()
        #expect(try hosts.login(pin: "4962").output.contains("successfully authenticated"))
        hosts.stopParty()
        #expect(try hosts.login(pin: "4962").code != 0)
    }
}

extension TwoHosts {
    private static var account: String { String(cString: getpwuid(getuid()).pointee.pw_name) }

    /// Enrolls the account that runs the tests.
    fileprivate func register() throws -> Program.Result {
        try enroll("register", "--user", Self.account, "--code", invitation(for: "alice"), pin: "4962")
    }

    /// One login with the module as it was built.
    fileprivate func login(pin: String) throws -> Program.Result {
        let repository = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        let services = directory + "/pam.d"
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
        let module =
            "\(repository)/build/pam_mpin.so method=pin conf=\(directory)/mpin.conf store=\(directory)/store server=unix:\(partyPeer.path)"
        try TwoHosts.write("auth required \(module)\naccount required \(module)\n", to: services + "/mpin")
        return try Program.run(
            at: "/usr/bin/env",
            [
                "LD_PRELOAD=libpam_wrapper.so", "PAM_WRAPPER=1", "PAM_WRAPPER_SERVICE_DIR=\(services)",
                "/usr/bin/pamtester", "mpin", Self.account, "authenticate",
            ], input: pin + "\n")
    }
}
