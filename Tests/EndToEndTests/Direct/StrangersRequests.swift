// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

/// What can be sent about one M-Pin ID without its device.
struct StrangersRequests {
    private let socket: String
    private let mpinID: String

    init(knowing machine: Machine) throws {
        socket = machine.socket
        let record = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: machine.record)))
        let users = try #require((record as? [String: Any])?["users"] as? [[String: Any]])
        mpinID = try #require(users.first?["mpinId"] as? String)
    }

    /// The generator of G1, a point like any other.
    private static let point =
        "042400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b2" + String(repeating: "0", count: 63) + "1"
    private static let token = String(repeating: "ab", count: 16)

    /// Sends the next of everything that can be sent without the device.
    ///
    /// - Returns: the status with which it was answered, 0 for none.
    func attack(_ round: Int) -> Int {
        let signature = String(repeating: "5", count: 128)
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        switch round % 8 {
        case 0:
            let direct: [String: Any] = [
                "mpin_id": mpinID, "U": Self.point, "V": Self.point, "time": now, "purpose": "login",
                "signature": signature,
            ]
            return send("POST", "/mpinDirect", direct)
        case 1: return guess()
        case 2: return send("GET", "/rps/timePermit/" + mpinID)
        case 3: return send("GET", "/rps/signature/" + mpinID, query: "regOTT=" + Self.token)
        case 4:
            return send(
                "PUT", "/rps/user/" + mpinID,
                ["userId": "alice", "mobile": 1, "regOTT": Self.token, "deviceKey": "04" + signature])
        case 5:
            return send("POST", "/mpinRevoke", ["mpinResponse": ["authOTT": Self.token], "revoke": mpinID])
        case 6: return send("POST", "/mpinOwner", ["mpinResponse": ["authOTT": Self.token], "action": "devices"])
        default: return send("PUT", "/rps/user", ["userId": "alice", "mobile": 1, "activateCode": "0000-0000-0000-00"])
        }
    }

    /// A pass 1, a pass 2 and its final call, as for a registration without a key.
    ///
    /// - Returns: the status of the final call.
    @discardableResult func guess() -> Int {
        let first = post("/rps/pass1", ["mpin_id": mpinID, "U": Self.point, "UT": Self.point, "pass": 1])
        let second = post(
            "/rps/pass2",
            [
                "mpin_id": mpinID, "V": Self.point, "WID": "0", "OTP": 0, "pass": 2,
                "passId": first["passId"] ?? "",
            ])
        return send("POST", "/mpinAuthenticate", ["mpinResponse": ["authOTT": second["authOTT"] ?? Self.token]])
    }

    private func post(_ path: String, _ body: [String: Any]) -> [String: Any] {
        (try? WaitingBrowser.post(path, body, to: socket).members) ?? [:]
    }

    private func send(_ method: String, _ path: String, _ body: [String: Any]? = nil, query: String = "") -> Int {
        let text = body.flatMap { try? JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let answer = UnixRequest.send(
            Exchange(method: method, path: path, query: query, body: Array(text)),
            headers: ["Content-Type: application/json"], to: socket)
        return answer?.status ?? 0
    }
}
