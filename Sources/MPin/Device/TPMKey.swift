// SPDX-License-Identifier: Apache-2.0
internal import CTPM
internal import MPinWire

/// A device key that a TPM has made. The machine stores a blob that only that TPM can use, so it is not secret.
struct TPMKey {
    /// The longest blob, in bytes.
    static let longest = 512

    let blob: [UInt8]

    /// Signs a digest of 32 bytes.
    ///
    /// - Parameter device: the TPM's name in the configuration; nil for the machine's default.
    /// - Returns: r and s, 64 bytes.
    func sign(_ digest: [UInt8], _ device: ByteText?, until deadline: Deadline) throws(MPinError) -> [UInt8] {
        guard digest.count == 32 else { throw MPinError(.cryptoError, "This is not a digest.") }
        var signature = [UInt8](repeating: 0, count: 64)
        let outcome = unsafe TPMKey.withCall(device, deadline) { call in
            unsafe mpin_tpm_sign(&call, blob, blob.count, digest, &signature)
        }
        if let error = MPinError(outcome) { throw deadline.isStopped ? error.canceled : error }
        return signature
    }

    @unsafe static func withCall(
        _ device: ByteText?, _ deadline: Deadline, _ body: (inout mpin_tpm_call) -> mpin_tpm_outcome
    ) -> mpin_tpm_outcome {
        var call = unsafe mpin_tpm_call()
        unsafe (call.deadline_ns, call.stop) = (deadline.nanoseconds, deadline.stop)
        guard let device else { return unsafe body(&call) }
        return unsafe device.cString.withUnsafeBufferPointer { name in
            unsafe call.device = name.baseAddress
            return unsafe body(&call)
        }
    }
}

extension MPinError {
    /// Converts a TPM outcome to an error of the SDK; nil for success. What this machine lacks says nothing about the
    /// server.
    init?(_ outcome: mpin_tpm_outcome) {
        switch outcome {
        case MPIN_TPM_DONE: return nil
        case MPIN_TPM_UNKNOWN_KEY, MPIN_TPM_MALFORMED:
            self.init(
                .clientSecretExpired, "This machine's TPM does not have the device key: it was cleared or replaced.",
                cause: .lostKey)
        case MPIN_TPM_ABSENT: self.init(.cryptoError, "This machine has no TPM.", cause: .absentTPM)
        case MPIN_TPM_NO_LIBRARY:
            self.init(.cryptoError, "The TPM cannot be used: libtss2-esys cannot be loaded.", cause: .noTPMLibrary)
        case MPIN_TPM_SHORTAGE:
            self.init(
                .cryptoError, "This process lacks file descriptors or memory for the TPM: see ulimit -a.",
                cause: .caller)
        case MPIN_TPM_NOT_PERMITTED: self.init(.cryptoError, "This program may not open the TPM.", cause: .closedTPM)
        case MPIN_TPM_NO_ANSWER, MPIN_TPM_BUSY:
            self.init(.networkError, "This machine's TPM does not answer.", cause: .silentTPM)
        default: self.init(.cryptoError, "The TPM has failed.", cause: .failedTPM)
        }
    }
}

extension TPMKey {
    /// - Returns: the key, and its public half, 65 bytes.
    static func create(_ device: ByteText?, until deadline: Deadline) throws(MPinError) -> (key: TPMKey, point: [UInt8])
    {
        var blob = mpin_tpm_blob()
        var point = [UInt8](repeating: 0, count: 65)
        let outcome = unsafe withCall(device, deadline) { call in unsafe mpin_tpm_create_key(&call, &blob, &point) }
        if let error = MPinError(outcome) { throw deadline.isStopped ? error.canceled : error }
        let bytes = unsafe withUnsafeBytes(of: blob.bytes) { unsafe Array($0.prefix(blob.count)) }
        return (TPMKey(blob: bytes), point)
    }
}

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
