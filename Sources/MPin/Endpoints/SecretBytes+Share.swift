// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

extension SecretBytes {
    /// Memory for a share, which is copied directly from the answer into it.
    @inline(never)
    static func forShare() throws(MPinError) -> SecretBytes {
        do { return try SecretBytes(capacity: RecordFile.pointSize) } catch { throw MPinError(error) }
    }
}
