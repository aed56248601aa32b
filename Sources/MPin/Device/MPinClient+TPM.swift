#if !hasFeature(Embedded)
internal import CTPM

// What the machine's TPM can do, for programs that look for faults.
extension MPinClient {
    /// Finds out whether the TPM can be used for keys of registrations: has it make one, which nobody keeps.
    package static func testTPM(_ options: TransportOptions) throws(MPinError) {
        _ = try TPMKey.create(options.tpmDevice, until: Deadline(millisecondsFromNow: RegistrationKey.patience))
    }

    /// Finds out whether the TPM can use the key of a registration.
    package static func testTPMKey(of user: User, _ options: TransportOptions) throws(MPinError) {
        guard let key = user.key, key.tpmBlob != nil else { return }
        // A signature over this is good for nothing: no request has this digest.
        let digest = [UInt8](repeating: 0, count: 32)
        _ = try key.sign(
            digest, tpm: options.tpmDevice, until: Deadline(millisecondsFromNow: RegistrationKey.patience))
    }

    /// Why the library cannot be loaded that speaks to the TPM, as the system says it; nil where it can.
    package static var tpmLibraryFault: String? {
        var text = [CChar](repeating: 0, count: 512)
        unsafe text.withUnsafeMutableBufferPointer { text in
            guard let start = text.baseAddress else { return }
            unsafe mpin_tpm_library_fault(start, text.count)
        }
        let reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return reason.isEmpty ? nil : reason
    }
}
#endif
