// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Users who think at a prompt for longer than the server keeps an idle connection.
    @Suite struct IdleConnectionTests {
        @Test func `a new PIN may take longer than an idle connection lasts`() throws {
            let machine = try Machine()
            let peer = try TLSTests.Peer(machine, name: "idle")
            let options = [
                "--store", machine.store, "--user", machine.account, "--identity", "alice", "--config",
                machine.directory + "/mpin.conf", "--server", peer.url, "--ca-file", peer.certificate, "--timeout",
                "30",
            ]
            let code = try machine.invitation()
            let registered = try Run(
                Products.enroll, ["register", "--code", code, "--pin-file", "-", "--no-input"] + options, input: "4962")
            try #require(registered.status == 0, "\(registered.all)")
            let terminal = try Terminal(Products.enroll, ["change-pin"] + options)
            #expect(terminal.shows("PIN for"), "\(terminal.screen)")
            terminal.type("4962")
            #expect(terminal.shows("New PIN for"), "\(terminal.screen)")
            // The server closes the connection after 15 seconds.
            sleep(18)
            for _ in 1...2 {
                terminal.type("7385")
                usleep(500_000)
            }
            #expect(terminal.end() == 0, "\(terminal.screen)")
        }
    }
}
