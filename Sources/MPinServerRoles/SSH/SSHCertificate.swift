// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage

/// The content of a user certificate of OpenSSH for a key of type `ssh-ed25519`.
///
/// The format is in PROTOCOL.certkeys of OpenSSH. Certificates restrict nothing: a host that must restrict a user does so
/// in its `sshd_config`.
struct SSHCertificate {
    static let type = "ssh-ed25519-cert-v01@openssh.com"
    /// Seconds before now from which a certificate is valid, because the clocks of hosts differ.
    static let backdated: Int64 = 300
    /// What ssh-keygen allows too, in the required order.
    private static let extensions = [
        "permit-X11-forwarding", "permit-agent-forwarding", "permit-port-forwarding", "permit-pty", "permit-user-rc",
    ]

    /// 32 bytes.
    let publicKey: [UInt8]
    /// Names this certificate in sshd's log, and in a list of revoked ones.
    let serial: UInt64
    let keyID: String
    /// The accounts that accept it.
    let accounts: [String]
    /// Seconds since 1970.
    let valid: Range<Int64>

    /// - Parameter blob: the public key as ssh writes it, 51 bytes; its type and lengths were checked.
    init(blob: [UInt8], serial: UInt64, user: String, grant: SSHGrant, valid: Range<Int64>) {
        (publicKey, self.serial, self.valid) = (Array(blob.suffix(32)), serial, valid)
        keyID = [user, String(grant.device), grant.deviceName].map(Self.plain).joined(separator: "/")
        accounts = grant.accounts
    }

    /// A new random serial number of 63 bits: some tools read it as a signed number.
    static func newSerial() throws(CryptoError) -> UInt64 {
        try Random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1
    }

    /// The signed part: all fields before the signature.
    ///
    /// - Parameter authority: the public key of the CA, as ssh writes it.
    func signedPart(authority: [UInt8]) throws(CryptoError) -> [UInt8] {
        var writer = SSHWriter()
        writer.add(Self.type)
        writer.add(try Random.bytes(32))
        writer.add(publicKey)
        writer.add(serial)
        // A certificate of a user, not of a host.
        writer.add(UInt32(1))
        writer.add(keyID)
        writer.add(fields: { fields in for account in accounts { fields.add(account) } })
        writer.add(UInt64(valid.lowerBound))
        writer.add(UInt64(valid.upperBound))
        // No critical options.
        writer.add("")
        writer.add(fields: { fields in
            for name in Self.extensions {
                fields.add(name)
                fields.add("")
            }
        })
        // Reserved.
        writer.add("")
        writer.add(authority)
        return writer.bytes
    }

    /// A part of the key ID, which sshd writes to its log: a hyphen for anything that could end or separate the parts
    /// there, and for everything but ASCII.
    private static func plain(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar in
                "!"..."~" ~= scalar && scalar != "/" ? Character(scalar) : "-"
            })
    }
}
