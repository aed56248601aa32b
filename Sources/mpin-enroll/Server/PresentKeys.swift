// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration
import MPinCrypto

/// The keys that servers have now. Each server is asked once.
struct PresentKeys {
    private let configuration: Configuration
    private var known: [String: Result<KeyFingerprint, CommandFailure>] = [:]

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// The fingerprint of the key that the server at an address has just proven, or why there is none.
    mutating func key(at address: String) -> Result<KeyFingerprint, CommandFailure> {
        if let key = known[address] { return key }
        let key: Result<KeyFingerprint, CommandFailure>
        do throws(CommandFailure) { key = .success(try ProvenServer.at(address, configuration).fingerprint) } catch {
            key = .failure(error)
        }
        known[address] = key
        return key
    }
}
