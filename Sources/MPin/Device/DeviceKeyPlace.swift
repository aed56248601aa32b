// SPDX-License-Identifier: Apache-2.0

/// Where the private half of a registration's device key is, for display.
package enum DeviceKeyPlace: Sendable {
    /// There is no key: it is a Milagro registration.
    case none
    /// In the record.
    case file
    /// In the machine's TPM.
    case tpm

    package var name: StaticString {
        switch self {
        case .none: "none"
        case .file: "file"
        case .tpm: "tpm"
        }
    }
}

extension User {
    package var keyPlace: DeviceKeyPlace {
        guard let device else { return .none }
        return device.key.tpmBlob == nil ? .file : .tpm
    }
}

/// Where the key of a new registration is made.
package enum NewDeviceKeyPlace: Sendable {
    /// In the record.
    case file
    /// In the TPM if one is usable, otherwise in the record.
    case tpmIfUsable
    /// In the TPM; without one, the registration fails.
    case tpm
}
