// SPDX-License-Identifier: Apache-2.0
internal import CTPM

// Tests of the machine's TPM, for programs that diagnose problems.
extension MPinClient {
    /// Tests whether the TPM can be used for registration keys: has it make one, which is discarded.
    package static func testTPM(_ options: TransportOptions) throws(MPinError) {
        _ = try TPMKey.create(options.tpmDevice, until: Deadline(millisecondsFromNow: RegistrationKey.patience))
    }

    /// Tests whether the TPM can use a registration's key.
    package static func testTPMKey(of user: User, _ options: TransportOptions) throws(MPinError) {
        guard let key = user.device?.key, key.tpmBlob != nil else { return }
        // A signature over this is useless: no request has this digest.
        let digest = [UInt8](repeating: 0, count: 32)
        _ = try key.sign(digest, tpm: options.tpmDevice, until: Deadline(millisecondsFromNow: RegistrationKey.patience))
    }

    /// Why the library that accesses the TPM cannot be loaded, in the system's words; nil if it can.
    package static var tpmLibraryFault: String? {
        var text = [CChar](repeating: 0, count: 512)
        unsafe mpin_tpm_library_fault(&text, text.count)
        let reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return reason.isEmpty ? nil : reason
    }
}
