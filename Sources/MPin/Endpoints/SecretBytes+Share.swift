internal import MPinCrypto

extension SecretBytes {
    /// Room for a share, which goes from an answer straight into it.
    @inline(never)
    static func forShare() throws(MPinError) -> SecretBytes {
        do { return try SecretBytes(capacity: RecordFile.pointSize) } catch { throw MPinError(error) }
    }
}
