// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// The table of docs/security.md, cell by cell.
    ///
    /// Other suites test the rows that need more than one program: another local user through `su` (`SystemLoginTests`),
    /// one master share (`TwoHostTests`), both shares (`KeyedAsUnknownTests`: the server answers the holder of a whole
    /// client secret as it answers a stranger).
    @Suite struct HowSecureTests {
        /// The columns.
        enum Way: CaseIterable {
            case withoutKey, keyInFile, keyInTPM

            static var possible: [Way] { allCases.filter { $0 != .keyInTPM || EmulatedTPM.program != nil } }
        }

        /// An enrolled machine.
        private struct Scene {
            let machine: Machine
            let way: Way
            private let tpm: EmulatedTPM?

            init(_ way: Way) throws {
                self.way = way
                machine = try Machine()
                tpm = way == .keyInTPM ? try EmulatedTPM() : nil
                if let tpm {
                    try machine.write("timeout = 60\n[store]\ntpm_device = \(tpm.device)\n", to: "/mpin.conf")
                }
                switch way {
                case .withoutKey: try machine.registerWithoutKey()
                case .keyInFile: try machine.register()
                case .keyInTPM:
                    let run = try machine.enroll("register", "--tpm", "--code", machine.invitation(), pin: "4962")
                    try #require(run.status == 0, "\(run.errors)")
                }
            }

            /// A copy of what is on the disk.
            func copy() throws -> String {
                let copy = machine.directory + "/copy"
                try FileManager.default.copyItem(atPath: machine.store, toPath: copy)
                return copy
            }

            /// Exit codes of logins from a copy of the disk.
            ///
            /// - Parameter elsewhere: on another machine, which has a TPM of its own.
            func logins(_ copy: String, elsewhere: Bool, _ pins: String...) throws -> [Int32] {
                let other = elsewhere && tpm != nil ? try EmulatedTPM() : nil
                if let other {
                    try machine.write("timeout = 60\n[store]\ntpm_device = \(other.device)\n", to: "/other.conf")
                }
                return try pins.map { pin in
                    let call = machine.call("test", "--no-input", "--pin-file", "-", store: copy)
                    let configuration = machine.directory + (other == nil ? "/mpin.conf" : "/other.conf")
                    return try Run(
                        Products.enroll, call.map { $0 == machine.directory + "/mpin.conf" ? configuration : $0 },
                        input: pin
                    ).status
                }
            }
        }

        private static let loggedIn: Int32 = 0
        private static let wrongPIN: Int32 = 81
        private static let blocked: Int32 = 82
        private static let noKey: Int32 = 84

        @Test(arguments: Way.possible) func `remote, knows your M-Pin ID`(way: Way) throws {
            let scene = try Scene(way)
            let stranger = try StrangersRequests(knowing: scene.machine)
            for _ in 1...3 { stranger.guess() }
            let blocks = way == .withoutKey
            #expect(try scene.machine.counted() == (blocks ? 3 : 0))
            #expect(
                try scene.machine.enroll("test", pin: "4962").status == (blocks ? Self.blocked : Self.loggedIn))
        }

        @Test(arguments: Way.possible) func `a visitor at the console`(way: Way) throws {
            let scene = try Scene(way)
            // The last try takes the PIN twice.
            for _ in 1...3 { _ = try scene.machine.pam("authenticate", typing: ["0000", "0000"]) }
            #expect(try scene.machine.enroll("test", pin: "4962").status == Self.blocked)
        }

        @Test(arguments: Way.possible) func `has stolen the disk, or a copy of it`(way: Way) throws {
            let scene = try Scene(way)
            let statuses = try scene.logins(scene.copy(), elsewhere: true, "0000", "1111", "2222", "4962")
            guard way == .keyInTPM else {
                #expect(statuses == [Self.wrongPIN, Self.wrongPIN, Self.blocked, Self.blocked])
                return
            }
            #expect(statuses.allSatisfy { $0 == Self.noKey }, "\(statuses)")
            #expect(try scene.machine.counted() == 0)
            #expect(try scene.machine.enroll("test", pin: "4962").status == Self.loggedIn)
        }

        @Test(arguments: Way.possible) func `has the whole machine, TPM included`(way: Way) throws {
            let scene = try Scene(way)
            let statuses = try scene.logins(scene.copy(), elsewhere: false, "0000", "1111", "2222", "4962")
            #expect(statuses == [Self.wrongPIN, Self.wrongPIN, Self.blocked, Self.blocked])
        }

        @Test(arguments: Way.possible) func `has the disk and has seen the PIN`(way: Way) throws {
            let scene = try Scene(way)
            let copy = try scene.copy()
            let expected = way == .keyInTPM ? Self.noKey : Self.loggedIn
            #expect(try scene.logins(copy, elsewhere: true, "4962") == [expected])
            let machine = scene.machine
            try #require(machine.administer("user", "revoke", "alice").status == 0)
            #expect(try scene.logins(copy, elsewhere: true, "4962") != [Self.loggedIn])
        }

        @Test(arguments: Way.possible) func `has a copy of the server's database`(way: Way) throws {
            let scene = try Scene(way)
            let machine = scene.machine
            machine.kill()
            let copy = machine.directory + "/stolen"
            try FileManager.default.copyItem(atPath: machine.directory + "/server", toPath: copy)
            try FileManager.default.removeItem(atPath: copy + "/state/seal.key")
            let served = try Run(Products.server, ["serve", "--dir", copy, "--listen", "unix:\(copy)/s.sock"])
            #expect(served.status != 0 && served.errors.contains("seal.key"), "\(served.all)")
            // What the device holds is not among it.
            let database = try ["mpin.sqlite", "mpin.sqlite-wal"].map { copy + "/state/" + $0 }
                .reduce(into: Data()) { $0 += try Data(contentsOf: URL(fileURLWithPath: $1)) }
            #expect(database.range(of: Data("alice".utf8)) != nil)
            let record = try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(fileURLWithPath: machine.record)))
            let users = try #require((record as? [String: Any])?["users"] as? [[String: Any]])
            for secret in ["token", "deviceSecret"] {
                guard let text = users.first?[secret] as? String else { continue }
                let bytes = try #require(Data(hexadecimal: text))
                #expect(database.range(of: bytes) == nil && database.range(of: Data(text.utf8)) == nil)
            }
        }

        @Test(arguments: Way.possible) func `controls the network, with a certificate that the machine trusts`(
            way: Way
        ) throws {
            let scene = try Scene(way)
            let machine = scene.machine
            let middle = try ManInTheMiddle(machine)
            try machine.redirect(to: middle)
            let path = way == .withoutKey ? "/mpinAuthenticate" : "/mpinDirect"
            try middle.plan(
                "answer",
                [
                    "path": path, "status": 200,
                    "body": ["userId": "alice", "serverId": "ecc8db1a9ab079cc5273b0cb999ed41a"],
                ])
            let login = try machine.pam("1111", at: middle)
            #expect(login.all.contains(PAMText.success) == (way == .withoutKey), "\(login.all)")
            guard way != .withoutKey else { return }
            try middle.plan("pass")
            #expect(try machine.pam("4962", at: middle).all.contains(PAMText.success))
        }

        @Test(arguments: Way.possible) func `administers the server`(way: Way) throws {
            let scene = try Scene(way)
            let machine = scene.machine
            let other = try machine.enroll(
                "register", "--code", machine.invitation(), pin: "7385", store: machine.directory + "/administrators")
            #expect(other.status == 0, "\(other.all)")
            let audit = try machine.administer("audit", "--user", "alice").output
            #expect(audit.split(separator: "\n").filter { $0.contains("\tenroll\t") }.count == 2, "\(audit)")
        }
    }
}
