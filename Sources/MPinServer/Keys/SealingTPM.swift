// SPDX-License-Identifier: Apache-2.0
internal import CTPM
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage

/// The TPM that seals a sealing key. Only this TPM opens it, for any user who may open the device.
///
/// The key does not depend on what the machine has booted, so that an update of its kernel or firmware does not lock
/// out the server. It protects against a stolen disk or a copy of it, not against a machine that is stolen as a whole.
struct SealingTPM {
    /// The value of the setting `tpm_device`.
    let device: String

    /// Long enough for the slowest TPM.
    private static let patience: Int64 = 10_000_000_000

    /// Seals a key.
    func seal(_ key: SealKey) throws(ServerError) -> TPMKeyFile {
        var blob = mpin_tpm_blob()
        try unsafe call(about: nil) { call in
            key.withBytes { secret in
                unsafe secret.withUnsafeBufferPointer { secret in
                    guard let start = secret.baseAddress else { return MPIN_TPM_MALFORMED }
                    return unsafe mpin_tpm_seal(&call, start, &blob)
                }
            }
        }
        let count = min(blob.count, MemoryLayout.size(ofValue: blob.bytes))
        let bytes = unsafe withUnsafeBytes(of: blob.bytes) { unsafe Array($0.prefix(count)) }
        return TPMKeyFile(identifier: try key.shownIdentifier, blob: bytes)
    }

    /// Opens a sealed key.
    func open(_ file: TPMKeyFile, path: String) throws(ServerError) -> SealKey {
        do {
            var key = try SecretBytes(capacity: SealKey.size)
            try unsafe call(about: (path, file.identifier)) { call in
                key.withMutableBytes(count: SealKey.size) { secret in
                    unsafe secret.withUnsafeMutableBufferPointer { secret in
                        guard let start = secret.baseAddress else { return MPIN_TPM_MALFORMED }
                        return unsafe mpin_tpm_unseal(&call, file.blob, file.blob.count, start)
                    }
                }
            }
            return try SealKey(key)
        } catch { throw error as? ServerError ?? ServerError(.internalFault, "cannot allocate memory for a secret") }
    }

    /// - Parameter key: the file of the key to be opened, and the key's identifier.
    private func call(
        about key: (path: String, identifier: String)?, _ body: (inout mpin_tpm_call) -> mpin_tpm_outcome
    ) throws(ServerError) {
        var call = unsafe mpin_tpm_call()
        unsafe call.deadline_ns = Self.now + Self.patience
        let outcome = unsafe device.withCString { name in
            unsafe call.device = name
            return unsafe body(&call)
        }
        guard outcome != MPIN_TPM_DONE else { return }
        let number = unsafe call.response
        let reason = unsafe call.error
        throw fault(outcome, response: number, error: reason, about: key)
    }

    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
