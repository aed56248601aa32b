// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Synchronization
import Testing

/// Refusals about known and unknown devices take nearly the same time. Differences of a few microseconds remain.
@Suite(.serialized) struct UnknownTimingTests {
    private static let rounds = 1_000

    private struct Scene {
        let fixture: Fixture
        let device: Device
        let unknown: Device

        init() throws {
            fixture = try Fixture(configuration: "failures_per_source = 1000000\n")
            device = try fixture.device()
            // As long as the other, made by the same server, and gone.
            unknown = try fixture.device("allie")
            _ = try fixture.administrator.purge("allie")
        }
    }

    /// The medians of interleaved requests about both.
    private func medians(_ scene: Scene, _ body: (Device) throws -> Duration) throws -> [Duration] {
        var times: [[Duration]] = [[], []]
        for round in 0..<Self.rounds {
            for index in round % 2 == 0 ? [0, 1] : [1, 0] {
                times[index].append(try body(index == 0 ? scene.device : scene.unknown))
            }
        }
        return times.map { $0.sorted()[Self.rounds / 2] }
    }

    /// - Parameter limit: microseconds.
    private func expectAlike(_ name: String, within limit: Int = 100, _ body: (Scene, Device) throws -> Duration) throws
    {
        let scene = try Scene()
        var seen: [[Duration]] = []
        // Noise that lasts can move a median; a difference of the server's shows every time.
        for _ in 0..<5 {
            let medians = try medians(scene) { try body(scene, $0) }
            let difference = medians[0] - medians[1]
            if difference < .microseconds(limit), difference > .microseconds(-limit) { return }
            seen.append(medians)
        }
        Issue.record("\(name): \(seen)")
    }

    private func time(_ body: () throws -> Answer, status: Int) throws -> Duration {
        let start = ContinuousClock.now
        let answer = try body()
        let time = ContinuousClock.now - start
        #expect(answer.status == status)
        return time
    }

    @Test func `direct logins with another's signature`() throws {
        let other = try DeviceSecret()
        // Leaving the check of a signature out saves less than the usual limit.
        try expectAlike("direct", within: 50) { scene, device in
            let request = try Self.cached(device, other, scene)
            return try time({ try scene.fixture.post("/mpinDirect", request) }, status: 404)
        }
    }

    /// One request, signed with another key: it is refused each time, so it can be used again.
    private static func cached(_ device: Device, _ other: DeviceSecret, _ scene: Scene) throws -> [UInt8] {
        try requests.withLock { requests in
            if let known = requests[device.enrolled.mpinID] { return known }
            let body = try DirectRequest(device, signer: other).body
            requests[device.enrolled.mpinID] = body
            return body
        }
    }

    private static let requests = Mutex<[String: [UInt8]]>([:])

    @Test func `second passes`() throws {
        let point = try DeviceSecret()
        try expectAlike("pass 2") { scene, device in
            let u = try Self.commitment(device, point)
            let body = ["mpin_id": device.enrolled.mpinID, "U": u, "UT": u, "V": u, "WID": "0"]
            let first = try scene.fixture.post("/rps/pass1", body)
            let second = body.merging(["passId": first.string("passId")]) { $1 }
            return try time({ try scene.fixture.post("/rps/pass2", second) }, status: 200)
        }
    }

    private static func commitment(_ device: Device, _ point: DeviceSecret) throws -> String {
        try requests.withLock { requests in
            if let known = requests["u"] { return String(decoding: known, as: UTF8.self) }
            let u = hex(try DirectRequest(device, signer: point).u)
            requests["u"] = Array(u.utf8)
            return u
        }
    }

    @Test func `time permits`() throws {
        try expectAlike("permit") { scene, device in
            try time({ try scene.fixture.get("/rps/timePermit/\(device.enrolled.mpinID)") }, status: 410)
        }
    }

    @Test(arguments: [true, false])
    func `first shares`(hasProof: Bool) throws {
        let regOTT = "00112233445566778899aabbccddeeff"
        let other = try DeviceSecret()
        try expectAlike("signature") { scene, device in
            let path = "/rps/signature/\(device.enrolled.mpinID)?regOTT=\(regOTT)"
            let proof =
                hasProof
                ? try Device.proof(
                    "signature", device.enrolled.mpinID, regOTT, other, device.serverID, at: device.now()) : ""
            return try time({ try scene.fixture.get(path + proof) }, status: 400)
        }
    }
}
