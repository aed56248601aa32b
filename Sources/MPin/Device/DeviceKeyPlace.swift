// SPDX-License-Identifier: Apache-2.0

/// Where the private half of a registration's device key is, for display.
package enum DeviceKeyPlace: Sendable {
    /// There is no key: the registration logs in with the two passes.
    case none
    /// In the record.
    case file
    /// In the machine's TPM.
    case tpm
    /// In the record. The server does not have the public half yet.
    case pending

    package var name: StaticString {
        switch self {
        case .none: "none"
        case .file: "file"
        case .tpm: "tpm"
        case .pending: "pending"
        }
    }
}

extension User {
    package var keyPlace: DeviceKeyPlace {
        guard let key else { return .none }
        return key.isPending ? .pending : key.tpmBlob == nil ? .file : .tpm
    }
}
