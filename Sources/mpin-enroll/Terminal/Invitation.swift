// SPDX-License-Identifier: Apache-2.0
import Console
import MPin

/// What an administrator gives a user: an enrollment code and, before it, the server's address: `mpin.example.org/CODE`.
struct Invitation {
    /// The address as records have it; nil if the text is only a code.
    let server: String?
    let code: RegistrationCode

    /// - Parameter text: may contain blanks and line breaks, which a paste can add.
    init?(_ text: String) {
        let text = text.filter { !$0.isWhitespace }
        let end = text.lastIndex(of: "/")
        guard let code = RegistrationCode(invitation: String(end.map { text[text.index(after: $0)...] } ?? text[...]))
        else { return nil }
        self.code = code
        guard let end else {
            server = nil
            return
        }
        let address = CommonOptions.serverAddress(String(text[..<end]))
        guard address.hasPrefix("https://"), let backend = Backend(address) else { return nil }
        server = backend.text
    }

    /// Refuses an invitation of another server than the one that is used.
    func require(_ server: String?) throws(CommandFailure) {
        guard let own = self.server, let server, own != server else { return }
        throw CommandFailure(
            .configuration, "OTHER_SERVER", "This invitation is for \(own), but this machine uses \(server).",
            advice: Advice("Check the address: mpin-enroll config show").adding(
                "To enroll at the other server as well", "register --server \(CommonOptions.quoted(own))"))
    }
}
