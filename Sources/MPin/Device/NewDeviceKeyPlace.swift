// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
internal import MPinWire

/// Where the key of a new registration is made.
package enum NewDeviceKeyPlace: Sendable {
    /// In the record.
    case file
    /// In the TPM if one is usable, otherwise in the record.
    case tpmIfUsable
    /// In the TPM; without one, the registration fails.
    case tpm
}

extension RegistrationKey {
    /// How long a TPM may take to make a key, in milliseconds: the slowest take some seconds.
    static let patience = 20_000

    /// Makes the key of a new registration.
    ///
    /// - Returns: the key, and why it is not in the TPM if it should have been.
    static func make(_ options: TransportOptions) throws(MPinError) -> (key: RegistrationKey, tpmFault: MPinError?) {
        switch options.newKey {
        case .file: return (try RegistrationKey(isPending: false), nil)
        case .tpm: return (try inTPM(options), nil)
        case .tpmIfUsable:
            do throws(MPinError) { return (try inTPM(options), nil) } catch {
                return (try RegistrationKey(isPending: false), error)
            }
        }
    }

    private static func inTPM(_ options: TransportOptions) throws(MPinError) -> RegistrationKey {
        let made = try TPMKey.create(options.tpmDevice, until: Deadline(millisecondsFromNow: patience))
        return RegistrationKey(HexText(bytes: made.point), tpm: made.key, isPending: false)
    }
}
#endif
