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
        let now = clock.now
        let serial = try SSHCertificate.newSerial()
        let valid =
            now.seconds - SSHCertificate.backdated..<now.seconds + Int64(configuration.sshCertificateSeconds)
        let line = try store.recordSSHCertificate(of: login.user, registration: login.registration) {
            [vault] grant, sealed in
            let certificate = SSHCertificate(
                blob: Array(blob), serial: serial, user: login.user, grant: grant, valid: valid)
            let until = Timestamp(seconds: valid.upperBound)
            return (
                try vault.sshAuthority(sealed).sign(certificate),
                login.event(.sshCertificate(grant, serial: serial, until: until), at: now)
            )
        }
        guard let line else { throw Refusal(.unmet, "The server does not let this user log in over ssh") }
        return AuthenticateResponse.encode(
            userID: login.user, serverID: serverID, wrongSinceLastLogin: login.history.wrongBefore,
            attemptsLeft: login.history.left, sshCertificate: line)
    }
}
