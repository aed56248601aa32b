// SPDX-License-Identifier: Apache-2.0
internal import CTPM
internal import MPinWire

extension TPMKey {
    /// Has the TPM make a key.
    ///
    /// - Returns: the key, and its public half, 65 bytes.
    static func create(_ device: ByteText?, until deadline: Deadline) throws(MPinError) -> (key: TPMKey, point: [UInt8])
    {
        var blob = mpin_tpm_blob()
        var point = [UInt8](repeating: 0, count: 65)
        let outcome = withCall(device, deadline) { call in
            unsafe point.withUnsafeMutableBufferPointer { point in
                guard let point = point.baseAddress else { return MPIN_TPM_FAILED }
                return unsafe mpin_tpm_create_key(&call, &blob, point)
            }
        }
        if let error = MPinError(outcome) { throw error }
        let bytes = unsafe withUnsafeBytes(of: blob.bytes) { unsafe Array($0.prefix(blob.count)) }
        return (TPMKey(blob: bytes), point)
    }
}
