// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto

/// The end of a login by two passes that brings a key.
struct Binding: Sendable {
    let key: DeviceSecret
    let publicKey: [UInt8]
    let handle: String
    let signature: [UInt8]

    /// Logs in by two passes, up to the final call.
    ///
    /// - Parameters:
    ///   - signer: the key to use instead of the one that is brought.
    ///   - signedHandle: the handle to use instead of the login's.
    init(
        _ enrolled: ClientRegistration, pin: String = "1234", key: DeviceSecret? = nil, publicKey: [UInt8]? = nil,
        signer: DeviceSecret? = nil, signedHandle: String? = nil, otp: Bool = false, serverID: [UInt8]? = nil,
        at peer: some Peer
    ) throws {
        let key = try key ?? DeviceSecret()
        var body = try Login(enrolled, pin: pin, at: peer).body()
        if otp { body["OTP"] = true }
        let handle = try peer.post("/rps/pass2", body).string("authOTT")
        let serverID = try serverID ?? unhex(peer.get("/rps/clientSettings").string("serverId"))
        let digest = try DeviceStatement.binding(
            publicKey: publicKey ?? key.publicKey, serverID: serverID, mpinID: unhex(enrolled.mpinID),
            handle: unhex(signedHandle ?? handle))
        (self.key, self.handle, self.publicKey) = (key, handle, publicKey ?? key.publicKey)
        signature = try (signer ?? key).sign(digest)
    }

    func send(_ path: String = "/mpinAuthenticate", _ more: [String: Any] = [:], at peer: some Peer) throws -> Answer {
        let body: [String: Any] = [
            "mpinResponse": ["authOTT": handle], "deviceKey": hex(publicKey), "deviceSignature": hex(signature),
        ]
        return try peer.post(path, body.merging(more) { $1 })
    }
}
