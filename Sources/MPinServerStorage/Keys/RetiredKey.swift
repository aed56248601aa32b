/// A derived key of before a rotation, sealed by the present sealing key: hashes under it are still in the database.
struct RetiredKey: Sendable {
    let purpose: KeyPurpose
    /// When it was retired, in seconds since 1970: what was made later is under another key.
    let retired: Int64
    let sealed: [UInt8]
}
