// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A man in the middle, with a certificate that the machine trusts, on real TLS connections. No wrong PIN opens a
    /// login, and when the attack is over, the right PIN works at once.
    @Suite struct ManInTheMiddleTests {
        /// Each attack on the answer to a login.
        enum Attack: CaseIterable {
            case replayedSuccess, forgedSuccess, refusalAsSuccess, forgedBlock, forgedWrongPIN, forgedRevocation
            case forgedUnknownDevice, forgedClock, replayedRefusal, hiddenRefusal, forgedLimit, forgedServerError
            case withoutProof, encodedAgain, cut, anotherTail, anotherMember, space
            case flipAtStart, flipInMiddle, flipInProof, flipAtEnd, damagedSignature

            private static let direct = "/mpinDirect"

            func begin(_ middle: ManInTheMiddle) throws {
                func answer(_ status: Int, _ body: [String: Any]) throws {
                    try middle.plan("answer", ["path": Self.direct, "status": status, "body": body])
                }
                func change(_ change: String) throws {
                    try middle.plan("body", ["path": Self.direct, "change": change])
                }
                switch self {
                case .replayedSuccess: try middle.plan("replay", ["path": Self.direct, "status": 200])
                case .forgedSuccess:
                    let proof = String(repeating: "1", count: 128)
                    try answer(200, ["userId": "alice", "serverId": "00", "wrongSinceLastLogin": 0, "proof": proof])
                case .refusalAsSuccess: try middle.plan("status", ["path": Self.direct, "status": 200])
                case .forgedBlock: try answer(410, ["attemptsLeft": 0])
                case .forgedWrongPIN: try answer(401, ["attemptsLeft": 1])
                case .forgedRevocation: try answer(403, ["reason": "call 555"])
                case .forgedUnknownDevice: try answer(404, [:])
                case .forgedClock: try answer(408, ["nowTime": 4_102_444_800_000])
                case .replayedRefusal: try middle.plan("replay", ["path": Self.direct, "status": 401])
                case .hiddenRefusal:
                    try middle.plan("replace", ["path": Self.direct, "status": 503, "body": [String: Any]()])
                case .forgedLimit: try answer(429, ["retryAfter": 86_400])
                case .forgedServerError: try answer(500, [:])
                case .withoutProof: try change("without proof")
                case .encodedAgain: try change("encoded again")
                case .cut: try change("cut")
                case .anotherTail: try change("the tail alone")
                case .anotherMember: try change("a member more")
                case .space: try change("a space at the end")
                case .flipAtStart: try change("flip 2")
                case .flipInMiddle: try change("flip 20")
                case .flipInProof: try change("flip -70")
                case .flipAtEnd: try change("flip -3")
                case .damagedSignature: try middle.plan("damage", ["path": Self.direct])
                }
            }
        }

        private func enrolled(_ machine: Machine, _ middle: ManInTheMiddle) throws {
            let run = try machine.enroll("register", "--code", machine.invitation(), at: middle, pin: "4962")
            try #require(run.status == 0, "\(run.all)")
            // Answers of the real server, to be replayed: a success and a refusal.
            #expect(try machine.pam("4962", at: middle).status == 0)
            #expect(try machine.pam("4963", at: middle).all.contains(PAMText.authError))
            #expect(try machine.pam("4962", at: middle).status == 0)
        }

        @Test(arguments: Attack.allCases) func `no answer of an attacker decides a login`(attack: Attack) throws {
            let machine = try Machine(maximum: 10)
            let middle = try ManInTheMiddle(machine)
            try enrolled(machine, middle)
            try attack.begin(middle)
            middle.forget()
            // The attacker knows the answers to both, and neither counts. What changes only a refusal leaves the right PIN.
            let pins = attack == .refusalAsSuccess ? ["4963", "4963"] : ["4963", "4962"]
            for pin in pins {
                let login = try machine.pam(pin, at: middle, options: "guard_last=no")
                #expect(login.all.contains(PAMText.unavailable), "\(pin): \(login.all)")
                let test = try machine.enroll("test", at: middle, pin: pin)
                #expect(test.status == 69, "\(pin): \(test.all)")
                let text = test.all.replacing(middle.url, with: "").replacing(machine.directory, with: "")
                #expect(!text.contains("recover") && !text.contains("555"), "\(text)")
            }
            // A PIN is sent once, and at the time of this machine.
            let sent = try middle.exchanges().filter { $0.target == "/mpinDirect" }
            #expect(sent.count == 4, "\(sent.map(\.status))")
            for exchange in sent {
                let body = try JSONSerialization.jsonObject(with: Data(exchange.request.utf8)) as? [String: Any]
                let time = try #require(body?["time"] as? Double)
                #expect(abs(time / 1000 - Date().timeIntervalSince1970) < 60)
            }
            let status = try machine.enroll("status", "--json", at: middle).json()
            #expect(status["state"] as? String == "REGISTERED", "\(status)")
            try middle.plan("pass")
            // PINs may have been counted, so the owner is asked to confirm the PIN.
            let login = try machine.pam("4962", "4962", at: middle)
            #expect(login.all.contains(PAMText.success), "\(login.all)")
        }

        @Test func `a code proves the server of an enrollment that began without one`() throws {
            let machine = try Machine(configuration: "hold_unverified = yes\n")
            let middle = try ManInTheMiddle(machine)
            let held = try machine.enroll("register", at: middle, pin: "4962")
            let begun = try machine.enroll("status", "--json", at: middle).json()
            #expect(held.status != 0 && begun["serverKeySource"] as? String == "tls", "\(held.all) \(begun)")
            // The settings do not say that the server takes codes.
            try middle.plan("settings", ["extensions": ["deviceKey", "direct", "proof"]])
            let run = try machine.enroll("register", "--code", machine.invitation(), at: middle, pin: "4962")
            #expect(run.status == 0, "\(run.all)")
            let status = try machine.enroll("status", "--json", at: middle).json()
            #expect(status["serverKeySource"] as? String == "invitation", "\(status)")
            #expect(try machine.enroll("test", at: middle, pin: "4962").status == 0)
        }

        @Test func `forged settings do not outlive the attack`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            let other = try Machine()
            try enrolled(machine, middle)
            let key = try UnixSettings.members(other.socket)["serverKey"]
            let forgeries: [[String: Any]] = [
                ["set": ["directURL": "/elsewhere"]], ["set": ["directURL": "https://127.0.0.1:1/mpinDirect"]],
                ["extensions": [String]()], ["extensions": ["direct"]], ["remove": ["directURL"]],
                ["set": ["serverKey": key as Any]], ["remove": ["serverKey", "serverId"]],
            ]
            for forgery in forgeries {
                // The settings are read when they are of another day, or in doubt.
                try FileManager.default.removeItem(atPath: machine.store + "/cache")
                try middle.plan("settings", forgery)
                let attacked = try machine.pam("4962", at: middle)
                try middle.plan("pass")
                let login = try machine.pam("4962", at: middle)
                #expect(login.all.contains(PAMText.success), "\(forgery): \(attacked.all) \(login.all)")
            }
        }

        @Test func `an enrollment stays at its address, whatever the settings name`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            let elsewhere = "https://127.0.0.1:1/rps/"
            try middle.plan(
                "settings",
                ["set": ["registerURL": elsewhere + "user", "signatureURL": elsewhere + "signature"]])
            try enrolled(machine, middle)
            let targets = try middle.exchanges().map(\.target)
            #expect(targets.contains("/rps/user"), "\(targets)")
            #expect(targets.contains { $0.hasPrefix("/rps/signature/") }, "\(targets)")
        }

        @Test func `another server at the address gets neither a login nor a registration`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            try enrolled(machine, middle)
            for _ in 1...3 { _ = try machine.enroll("test", at: middle, pin: "4963") }
            #expect(try machine.enroll("test", at: middle, pin: "4962").status == 82)
            let other = try Machine()
            try middle.plan("elsewhere", ["socket": other.socket])
            middle.forget()
            let refused = try machine.enroll("recover", "--code", machine.invitation(), at: middle, pin: "7385")
            #expect(refused.status != 0, "\(refused.all)")
            #expect(try !middle.exchanges().contains { $0.request.contains("deviceKey") })
            try middle.plan("pass")
            let run = try machine.enroll("recover", "--code", machine.invitation(), at: middle, pin: "7385")
            #expect(run.status == 0, "\(run.all)")
            #expect(try machine.pam("7385", at: middle).all.contains(PAMText.success))
        }

        @Test func `a code is never sent, and an attacker with another key gets no registration`() throws {
            let (machine, middle) = try ManInTheMiddle.withMachine()
            let code = try machine.invitation()
            let other = try Machine()
            let foreign = try UnixSettings.members(other.socket)
            let attacks: [(String, [String: Any])] = [
                (
                    "settings",
                    ["set": ["serverKey": foreign["serverKey"] as Any, "serverId": foreign["serverId"] as Any]]
                ),
                ("elsewhere", ["socket": other.socket]),
                ("settings", ["extensions": ["deviceKey", "direct", "invitationCode"]]),
                ("settings", ["extensions": [String]()]),
                ("body", ["path": "/rps/user", "change": "flip 30"]),
            ]
            for (rule, plan) in attacks {
                try middle.plan(rule, plan)
                let run = try machine.enroll("register", "--code", code, at: middle, pin: "4962")
                #expect(run.status != 0, "\(rule): \(run.all)")
            }
            try middle.plan("pass")
            let run = try machine.enroll("register", "--code", code, at: middle, pin: "4962")
            #expect(run.status == 0, "\(run.all)")
            let seen = try middle.exchanges().map { $0.target + $0.request + $0.answer }.joined(separator: "\n")
            let symbols = code.filter { $0 != "-" }
            #expect(!seen.contains(code) && !seen.contains(symbols), "the code was sent")
            #expect(try machine.pam("4962", at: middle).all.contains(PAMText.success))
        }
    }

    /// A server's settings as it serves them at its socket.
    enum UnixSettings {
        static func members(_ socket: String) throws -> [String: Any] {
            try #require(JSONSerialization.jsonObject(with: Data(read(socket).utf8)) as? [String: Any])
        }

        private static func read(_ socket: String) throws -> String {
            try Run(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import http.client, socket, sys
                    c = http.client.HTTPConnection("localhost")
                    c.sock = socket.socket(socket.AF_UNIX)
                    c.sock.connect(sys.argv[1])
                    c.request("GET", "/rps/clientSettings")
                    print(c.getresponse().read().decode())
                    """, socket,
                ]
            ).output
        }
    }
}
