// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage

extension Administrator {
    /// Sends a test mail through the configured SMTP server, and waits for the server's reply.
    ///
    /// - Returns: nil if the mail server accepted it, otherwise the reason.
    package func sendTestMail(to recipient: String) throws(ServerError) -> String? {
        guard let address = MailAddress(recipient) else {
            throw ServerError(.badInput, "'\(recipient)' is not a mail address")
        }
        let server = try MailServer(configuration.roles.mail)
        let message = MailMessage(
            senderName: configuration.roles.serviceName, sender: server.sender, recipient: address, subject: "Test",
            body: "Mail from this server arrives.\n", time: clock.now)
        let text: [UInt8]
        do throws(CryptoError) { text = try message.encode() } catch {
            throw ServerError(.internalFault, "cannot create the mail")
        }
        switch server.send(text, to: address) {
        case .sent: return nil
        case .refused(let status): return "the mail server answered \(status)"
        case .failed(let reason): return reason
        }
    }
}
