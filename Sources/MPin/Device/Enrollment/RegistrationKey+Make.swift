// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension RegistrationKey {
    /// How long a TPM may take to make a key, in milliseconds: the slowest take some seconds.
    static let patience = 20_000

    /// Makes the key of a new registration.
    ///
    /// - Returns: the key, and why it is not in the TPM if it should have been.
    static func make(_ options: TransportOptions) throws(MPinError) -> (key: RegistrationKey, tpmFault: MPinError?) {
        switch options.newKey {
        case .file: return (try RegistrationKey(), nil)
        case .tpm: return (try inTPM(options), nil)
        case .tpmIfUsable:
            do throws(MPinError) { return (try inTPM(options), nil) } catch {
                return (try RegistrationKey(), error)
            }
        }
    }

    private static func inTPM(_ options: TransportOptions) throws(MPinError) -> RegistrationKey {
        let made = try TPMKey.create(options.tpmDevice, until: Deadline(millisecondsFromNow: patience))
        return RegistrationKey(HexText(bytes: made.point), tpm: made.key)
    }
}
