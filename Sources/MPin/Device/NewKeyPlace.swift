#if !hasFeature(Embedded)
internal import MPinWire

/// Where the key of a new registration is made.
package enum NewKeyPlace: Sendable {
    /// In the record.
    case file
    /// In the TPM where there is one that can be used, else in the record.
    case tpmIfUsable
    /// In the TPM, or there is no registration.
    case tpm
}

extension RegistrationKey {
    /// How long a TPM may take to make a key: the slowest take some seconds.
    private static let patience = 20_000

    /// A new key for a registration that begins.
    static func make(_ options: TransportOptions) throws(MPinError) -> RegistrationKey {
        switch options.newKey {
        case .file: return try RegistrationKey(isPending: false)
        case .tpm: return try inTPM(options)
        case .tpmIfUsable:
            do throws(MPinError) { return try inTPM(options) } catch { return try RegistrationKey(isPending: false) }
        }
    }

    private static func inTPM(_ options: TransportOptions) throws(MPinError) -> RegistrationKey {
        let made = try TPMKey.create(options.tpmDevice, until: Deadline(millisecondsFromNow: patience))
        return RegistrationKey(HexText(bytes: made.point), tpm: made.key, isPending: false)
    }
}
#endif
