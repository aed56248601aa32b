import Foundation
import Glibc
import TestPeers
import Testing

extension EndToEnd {
    /// A life of an enrolment while strangers who know its M-Pin ID do all they can.
    @Suite struct StrangersTests {
        @Test(arguments: Products.modules) func `they change nothing and hold nothing up`(module: String) throws {
            let machine = try Machine(module: module)
            try machine.register()
            let strangers = try Strangers(knowing: machine)
            strangers.begin()
            defer { strangers.end() }

            var slowest = Duration.zero
            func quickly(_ body: () throws -> Run) throws -> Run {
                let start = ContinuousClock.now
                defer { slowest = max(slowest, .now - start) }
                return try body()
            }
            for _ in 1...8 {
                let login = try quickly { try machine.pam("authenticate", typing: ["4962"]) }
                #expect(login.status == 0 && !login.all.contains("wrong PIN"), "\(login.all)")
            }
            let mistyped = try machine.pam("authenticate", typing: ["4963"])
            #expect(mistyped.all.contains("2 tries left"), "\(mistyped.all)")
            #expect(try quickly { try machine.enroll("test", pin: "4962") }.status == 0)
            #expect(try quickly { try machine.enroll("otp", pin: "4962") }.status == 0)
            let browser = try WaitingBrowser(at: machine)
            browser.wait()
            #expect(try machine.enroll("approve", browser.number, pin: "4962").status == 0)
            browser.waitUntilDone()
            #expect(browser.identity() == "alice")
            let changed = try machine.enroll(
                "change-pin", "--pin-file", machine.pinFile("4962"), "--new-pin-file", machine.pinFile("7385"))
            #expect(changed.status == 0, "\(changed.all)")
            #expect(try quickly { try machine.pam("authenticate", typing: ["7385"]) }.status == 0)

            strangers.end()
            #expect(strangers.sent > 200, "only \(strangers.sent)")
            #expect(strangers.successes == 0)
            #expect(slowest < .seconds(5), "\(slowest)")
            #expect(try machine.counted() == 0)
            let audit = try machine.administer("audit", "--user", "alice", "--json").output
            #expect(!audit.contains("blocked"))
            // What is the owner's own to spend, is spent by the owner alone.
            for _ in 1...2 { _ = try machine.pam("authenticate", typing: ["4963"]) }
            #expect(try machine.counted() == 2)
            #expect(try machine.pam("authenticate", typing: ["7385", "7385"]).status == 0)
        }

        @Test func `a copy of a file key guesses as often as there are tries, and no more`() throws {
            let machine = try Machine()
            try machine.register()
            let copy = machine.directory + "/copy"
            try FileManager.default.copyItem(atPath: machine.store, toPath: copy)
            var statuses: [Int32] = []
            for pin in ["0000", "1111", "2222", "4962"] {
                let guess = try Run(
                    Products.enroll,
                    [
                        "test", "--store", copy, "--server", "unix:" + machine.socket, "--user", machine.account,
                        "--identity", "alice", "--config", machine.directory + "/mpin.conf", "--no-input",
                        "--pin-file", "-",
                    ], input: pin)
                statuses.append(guess.status)
            }
            #expect(statuses == [81, 81, 82, 82])
            // Whoever has seen the PIN, too, logs in until the device is revoked.
            let recovered = try machine.enroll("recover", "--code", machine.invitation(), pin: "7385")
            #expect(recovered.status == 0, "\(recovered.all)")
        }
    }
}

/// Threads that send everything about one M-Pin ID that can be sent without its device.
private final class Strangers: @unchecked Sendable {
    private let socket: String
    private let mpinID: String
    private let lock = NSLock()
    private var goesOn = true
    private(set) var sent = 0
    /// What was answered as if it had come from the device.
    private(set) var successes = 0
    private let threads = DispatchGroup()

    init(knowing machine: Machine) throws {
        socket = machine.socket
        let record = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: machine.record)))
        let users = try #require((record as? [String: Any])?["users"] as? [[String: Any]])
        mpinID = try #require(users.first?["mpinId"] as? String)
    }

    func begin() {
        for number in 0..<3 {
            threads.enter()
            Thread.detachNewThread { [self] in
                var round = number
                while lock.withLock({ goesOn }) {
                    attack(round)
                    round += 1
                }
                threads.leave()
            }
        }
    }

    func end() {
        lock.withLock { goesOn = false }
        threads.wait()
    }

    /// The generator of G1, a point like any other.
    private static let point =
        "042400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b2" + String(repeating: "0", count: 63) + "1"
    private static let token = String(repeating: "ab", count: 16)

    private func attack(_ round: Int) {
        let signature = String(repeating: "5", count: 128)
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        switch round % 8 {
        case 0:
            let direct: [String: Any] = [
                "mpin_id": mpinID, "U": Self.point, "V": Self.point, "time": now, "purpose": "login",
                "signature": signature,
            ]
            send("POST", "/mpinDirect", direct)
        case 1: passes()
        case 2: send("GET", "/rps/timePermit/" + mpinID)
        case 3: send("GET", "/rps/signature/" + mpinID, query: "regOTT=" + Self.token)
        case 4:
            send(
                "PUT", "/rps/user/" + mpinID,
                ["userId": "alice", "mobile": 1, "regOTT": Self.token, "deviceKey": "04" + signature])
        case 5:
            send("POST", "/mpinRevoke", ["mpinResponse": ["authOTT": Self.token], "revoke": mpinID])
        case 6: send("POST", "/mpinOwner", ["mpinResponse": ["authOTT": Self.token], "action": "devices"])
        default: send("PUT", "/rps/user", ["userId": "alice", "mobile": 1, "activateCode": "0000-0000-0000-00"])
        }
    }

    /// A pass 1, a pass 2 and its final call, as for a registration without a key.
    private func passes() {
        let first = post("/rps/pass1", ["mpin_id": mpinID, "U": Self.point, "UT": Self.point, "pass": 1])
        let second = post(
            "/rps/pass2",
            [
                "mpin_id": mpinID, "V": Self.point, "WID": "0", "OTP": 0, "pass": 2,
                "passId": first["passId"] ?? "",
            ])
        send("POST", "/mpinAuthenticate", ["mpinResponse": ["authOTT": second["authOTT"] ?? Self.token]])
    }

    private func post(_ path: String, _ body: [String: Any]) -> [String: Any] {
        lock.withLock { sent += 1 }
        return (try? WaitingBrowser.post(path, body, to: socket).members) ?? [:]
    }

    private func send(_ method: String, _ path: String, _ body: [String: Any]? = nil, query: String = "") {
        let text = body.flatMap { try? JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let answer = UnixRequest.send(
            Exchange(method: method, path: path, query: query, body: Array(text)),
            headers: ["Content-Type: application/json"], to: socket)
        lock.withLock {
            sent += 1
            if answer?.status == 200 { successes += 1 }
        }
    }
}
