import Foundation
import Testing

extension EndToEnd {
    /// Hosts that have run out of something.
    @Suite struct ShortageTests {
        @Test(arguments: ["files", "memory"], Products.modules)
        func `a lack is no unavailable server`(of what: String, module: String) throws {
            let machine = try Machine(module: module)
            try machine.register()
            let run = try machine.probe("starve", what, pins: ["4962"])
            // Nothing ends the host, nothing is taken for the server's fault, and nothing is remembered: the same
            // process logs in as soon as it has enough.
            #expect(run.status == 0, "\(run.all)")
            #expect(run.lines.last == "enough PAM_SUCCESS", "\(run.all)")
            #expect(!run.output.contains("UNAVAIL") && run.output.contains("PAM_SYSTEM_ERR"), "\(run.all)")
            #expect(try machine.counted() == 0)
        }

        @Test(arguments: ["files", "memory"], Products.modules)
        func `a lack is no unavailable server over TLS`(of what: String, module: String) throws {
            let machine = try Machine(module: module)
            let peer = try TLSTests.Peer(machine, name: "good")
            let options = "server=\(peer.url) ca_file=\(peer.certificate)"
            let registered = try Run(
                Products.enroll,
                [
                    "register", "--server", peer.url, "--ca-file", peer.certificate, "--code", machine.invitation(),
                    "--store", machine.store, "--user", machine.account, "--identity", "alice", "--config",
                    machine.directory + "/mpin.conf", "--no-input", "--pin-file", "-",
                ], input: "4962")
            try #require(registered.status == 0, "\(registered.errors)")
            try machine.service(
                "tls", "\(module) conf=\(machine.directory)/mpin.conf store=\(machine.store) \(options)")
            let run = try machine.probe("starve", what, pins: ["4962"], service: "tls")
            #expect(run.status == 0, "\(run.all)")
            #expect(run.lines.last == "enough PAM_SUCCESS", "\(run.all)")
            #expect(!run.output.contains("UNAVAIL"), "\(run.all)")
        }

        @Test(arguments: Products.modules) func `no address space ends the host`(module: String) throws {
            let machine = try Machine(module: module)
            try machine.register()
            for megabytes in stride(from: 6, through: 40, by: 1) {
                let run = try machine.probe(
                    "try", pins: ["4962"], by: ["/usr/bin/prlimit", "--as=\(megabytes << 20)"])
                #expect(run.status < 128 && !run.output.contains("UNAVAIL"), "\(megabytes) MiB: \(run.all)")
            }
        }
    }
}
