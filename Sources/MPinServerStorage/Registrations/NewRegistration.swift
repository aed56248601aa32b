// SPDX-License-Identifier: Apache-2.0

package struct NewRegistration: Sendable {
    /// SHA-256 of the M-Pin ID.
    package let hash: [UInt8]
    let user: String
    let device: String
    let mobile: Int
    let state: RegistrationEntry.State
    /// SHA-256 of the one-time token.
    let ott: [UInt8]
    let created: Int64
    let expires: Int64
    /// JSON.
    let userData: String?
    /// The public half of the device's key; nil if the client has no key.
    let deviceKey: [UInt8]?

    package init(
        hash: [UInt8], user: String, device: String, mobile: Int, state: RegistrationEntry.State, ott: [UInt8],
        created: Int64, expires: Int64, userData: String?, deviceKey: [UInt8]?
    ) {
        (self.hash, self.user, self.device, self.mobile) = (hash, user, device, mobile)
        (self.state, self.ott, self.created, self.expires) = (state, ott, created, expires)
        (self.userData, self.deviceKey) = (userData, deviceKey)
    }
}

package struct AddedRegistration: Sendable {
    package let state: RegistrationEntry.State
    package let number: Int
    /// How many backup codes the user has left; nil unless a backup code admitted the registration.
    package let backupCodes: Int?
}

/// An enrollment code as it is stored: neither the code nor its key can be read from it.
package struct SealedCode: Sendable {
    /// A keyed hash of its name and its user.
    package let hash: [UInt8]
    /// The key with which client and server prove that they know the code, sealed.
    package let key: [UInt8]

    package init(hash: [UInt8], key: [UInt8]) { (self.hash, self.key) = (hash, key) }
}

/// A code that admits a registration, as a keyed hash.
package enum AdmissionCode: Sendable {
    case invitation([UInt8])
    case backup([UInt8])
}
