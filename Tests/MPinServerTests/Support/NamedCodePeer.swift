// SPDX-License-Identifier: Apache-2.0
import MPinCrypto

/// A code as clients with a device key use it.
struct NamedCodePeer {
    let name: [UInt8]
    private let symbols: [UInt8]

    init(_ code: String) throws {
        symbols = EnrollmentCode.symbols(code) ?? []
        name = try CodeSecret(symbols: symbols).name
    }

    func clientProof(_ user: String, key: [UInt8], _ serverKeyHash: [UInt8]) throws -> [UInt8] {
        try CodeSecret(symbols: symbols).clientProof(
            user: Array(user.utf8), deviceKey: key, serverKeyHash: serverKeyHash)
    }

    func serverProof(_ user: String, key: [UInt8], _ serverKeyHash: [UInt8]) throws -> [UInt8] {
        try CodeSecret(symbols: symbols).serverProof(
            user: Array(user.utf8), deviceKey: key, serverKeyHash: serverKeyHash)
    }

    /// What a request contains instead of the code.
    func members(_ user: String, key: [UInt8], _ serverKeyHash: [UInt8]) throws -> [String: Any] {
        ["codeName": hex(name), "codeProof": hex(try clientProof(user, key: key, serverKeyHash))]
    }
}
