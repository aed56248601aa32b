/// A derived key of before a rotation, sealed by the present sealing key: hashes under it are still in the database.
package struct RetiredKey: Sendable {
    package let purpose: KeyPurpose
    /// When it was retired, in seconds since 1970: what was made later is under another key.
    package let retired: Int64
    package let sealed: [UInt8]

    package init(purpose: KeyPurpose, retired: Int64, sealed: [UInt8]) {
        self.purpose = purpose
        self.retired = retired
        self.sealed = sealed
    }
}
