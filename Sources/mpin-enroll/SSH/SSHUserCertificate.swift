// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// A user certificate of ssh, as in a `-cert.pub` file.
///
/// Its signature is not verified: hosts do that. This program reads for which key and accounts it is valid, and until
/// when.
struct SSHUserCertificate {
    private static let type = "ssh-ed25519-cert-v01@openssh.com"
    private static let ofUser: UInt32 = 1
    /// A certificate that expires within this many seconds is renewed, so that it does not expire during a login.
    private static let margin: UInt64 = 30

    /// The line of the file, with nothing else that the server may have sent.
    let line: String
    /// The certified key.
    let key: SSHKey
    /// The number in the server's audit log and in the log of sshd.
    let serial: UInt64
    let accounts: [String]
    let validAfter: UInt64
    let validBefore: UInt64

    /// Reads the line of a `-cert.pub` file; nil if it is not complete, or not of a user with a key of type ed25519.
    init?(_ line: some Collection<UInt8>) {
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, words[0] == SSHUserCertificate.type, let blob = Data(base64Encoded: String(words[1]))
        else {
            return nil
        }
        var fields = SSHFields(blob)
        guard fields.text() == SSHUserCertificate.type, fields.bytes() != nil,
            let key = fields.bytes().flatMap(SSHKey.init(bytes:)), let serial: UInt64 = fields.number(),
            let kind: UInt32 = fields.number(), kind == SSHUserCertificate.ofUser, fields.bytes() != nil,
            let accounts = fields.texts(), let after: UInt64 = fields.number(), let before: UInt64 = fields.number()
        else { return nil }
        // Critical options, extensions, a reserved field, the CA's key and its signature.
        for _ in 0..<5 { guard fields.bytes() != nil else { return nil } }
        guard fields.isAtEnd else { return nil }
        self.line = "\(words[0]) \(words[1]) mpin"
        (self.key, self.serial, self.accounts) = (key, serial, accounts)
        (validAfter, validBefore) = (after, before)
    }

    /// Whether it stays valid for some time, by the clock of this machine.
    var isCurrent: Bool { validBefore > SSHUserCertificate.now + SSHUserCertificate.margin }

    /// Whether it is also valid already.
    var isValid: Bool { isCurrent && validAfter <= SSHUserCertificate.now }

    /// The seconds until it expires.
    var secondsLeft: UInt64 { validBefore - min(validBefore, SSHUserCertificate.now) }

    /// The time at which it expires, in seconds since 1970; for one that is valid forever, the end of the year 9999.
    var expirySeconds: Int { Int(min(validBefore, 253_402_300_799)) }

    /// The time of this machine's time zone at which it expires.
    var expiry: String {
        var seconds = expirySeconds, parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return "unknown" }
        let digits = unsafe [parts.tm_hour, parts.tm_min].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return digits.joined(separator: ":")
    }

    private static var now: UInt64 { UInt64(max(0, time(nil))) }
}
