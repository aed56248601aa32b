// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Issues ssh certificates to users who have logged in with a device key, and whom an administrator lets in.
struct SSHCertificateService: ServerComponent {
    let context: ServerContext
    let vault: Vault
    /// Each certificate is a line in the audit log, which a device could otherwise fill.
    let certificates: CommonLimit

    /// The answer to a login for a certificate.
    ///
    /// - Parameter key: as `SSHPublicKeyText` describes it.
    func answer(_ key: ByteText, by login: VerifiedLogin, serverID: HexText) throws -> [UInt8] {
        guard let blob = Data(base64Encoded: key.string) else { throw Refusal(.malformed, "Invalid data received") }
        guard certificates.take(.account(login.user), at: clock.monotonic()) else { throw Refusal.tooMany }
        guard let sealed = try store.sealedSecret(.sshAuthority) else { throw Self.notAllowed }
        let authority = try vault.sshAuthority(sealed)
        let now = clock.now
        let serial = try SSHCertificate.newSerial()
        let valid =
            now.seconds - SSHCertificate.backdated..<now.seconds + Int64(configuration.sshCertificateSeconds)
        let grant = try store.recordSSHCertificate(of: login.user, registration: login.registration, by: sealed) {
            login.event(.sshCertificate($0, serial: serial, until: Timestamp(seconds: valid.upperBound)), at: now)
        }
        guard let grant else { throw Self.notAllowed }
        let certificate = SSHCertificate(
            blob: Array(blob), serial: serial, user: login.user, grant: grant, valid: valid)
        return AuthenticateResponse.encode(
            userID: login.user, serverID: serverID, wrongSinceLastLogin: login.history.wrongBefore,
            attemptsLeft: login.history.left,
            sshCertificate: try authority.sign(certificate))
    }

    private static var notAllowed: Refusal {
        Refusal(.unmet, "The server does not let this user log in over ssh")
    }
}
