// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerStorage

/// A registration with a key of its device.
struct Device: Sendable {
    let enrolled: ClientRegistration
    let key: DeviceSecret
    /// The server's name in what it signs.
    var serverID: [UInt8]
    /// Its clock, in milliseconds.
    let now: @Sendable () -> Int64

    /// Registers with a code, as clients with a key do: the code itself is not sent.
    static func register(
        _ user: String, named name: String = "", code: String, pin: String = "1234", key: DeviceSecret,
        at peer: some Peer, now: @escaping @Sendable () -> Int64
    ) throws -> Device {
        let serverID = try ServerKeyPeer(at: peer).hash
        let body: [String: Any] = ["userId": user, "mobile": 1, "deviceName": name, "deviceKey": hex(key.publicKey)]
        let begun = try peer.put(
            "/rps/user", body.merging(NamedCodePeer(code).members(user, key: key.publicKey, serverID)) { $1 })
        guard begun.status == 200 else { throw ClientRegistration.Failed(step: "register", answer: begun) }
        let (mpinID, regOTT) = (begun.string("mpinId"), begun.string("regOTT"))
        let proof = try proof("signature", mpinID, regOTT, key, serverID, at: now())
        let enrolled = try ClientRegistration.finish(
            user, mpinID: mpinID, regOTT: regOTT, pin: pin, proof: proof, at: peer)
        return Device(enrolled: enrolled, key: key, serverID: serverID, now: now)
    }

    /// What the key adds to the query of `signature`.
    static func proof(
        _ request: String, _ mpinID: String, _ regOTT: String, _ key: DeviceSecret, _ serverID: [UInt8], at time: Int64
    ) throws -> String {
        let digest = try DeviceStatement.request(
            Array(request.utf8), serverID: serverID, mpinID: unhex(mpinID), time: UInt64(time), regOTT: unhex(regOTT))
        return "&time=\(time)&deviceSignature=\(hex(try key.sign(digest)))"
    }

    /// A whole login.
    func login(
        pin: String = "1234", _ purpose: String = "login", _ argument: String = "", at peer: some Peer
    ) throws -> Answer {
        try DirectRequest(self, pin: pin, purpose, argument).send(at: peer)
    }
}

extension Fixture {
    /// The time of the server, in milliseconds.
    var milliseconds: Int64 { clock.wall * 1_000 }

    /// Invites and registers a user with a key.
    func device(
        _ user: String = "alice", named name: String = "", pin: String = "1234", key: DeviceSecret? = nil
    ) throws -> Device {
        let clock = clock
        return try Device.register(
            user, named: name, code: invite(user), pin: pin, key: key ?? DeviceSecret(), at: self,
            now: { clock.wall * 1_000 })
    }

    /// A server with the registration of a device that has a key.
    static func withDevice(configuration: String? = nil, publicURL: String? = nil) throws -> (Fixture, Device) {
        let fixture = try Fixture(configuration: configuration, publicURL: publicURL)
        return (fixture, try fixture.device())
    }

    /// The one device of a user, as administrators see it.
    func shown(_ user: String = "alice") throws -> UserRecord.Device { try administrator.user(user).devices[0] }
}

extension RunningServer {
    func device(_ user: String) throws -> Device {
        let code = try invite(user)
        return try Device.register(
            user, code: code, key: DeviceSecret(), at: peer, now: { Int64(Date().timeIntervalSince1970 * 1_000) })
    }

    /// A server with the registration of a device that has a key.
    static func withDevice(configuration: String? = nil) throws -> (RunningServer, Device) {
        let server = try RunningServer(configuration: configuration)
        return (server, try server.device("alice"))
    }
}

/// The key pair of a device, in the memory of a test.
struct DeviceSecret: Sendable {
    let scalar: [UInt8]
    let publicKey: [UInt8]

    init() throws {
        let key = try DeviceKey.generate()
        scalar = key.withScalar { bytes in bytes.indices.map { bytes[$0] } }
        publicKey = key.publicKey.bytes
    }

    /// r and s of a digest.
    func sign(_ digest: [UInt8]) throws -> [UInt8] {
        try DeviceKey(scalar: secret(scalar), publicKey: DevicePublicKey(kept: publicKey)).sign(digest)
    }
}
