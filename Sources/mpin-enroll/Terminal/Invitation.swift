// SPDX-License-Identifier: Apache-2.0
import Console
import MPin

/// What an administrator gives a user: an enrollment code and, before it, the server's address: `mpin.example.org/CODE`.
struct Invitation {
    /// The address as records have it; nil if the text is only a code.
    let server: String?
    let code: RegistrationCode

    /// - Parameter text: may contain blanks and line breaks, which a paste can add.
    init(_ text: String) throws(CommandFailure) {
        let text = Invitation.pasted(text)
        let end = text.lastIndex(of: "/")
        guard let code = RegistrationCode(invitation: String(end.map { text[text.index(after: $0)...] } ?? text[...]))
        else { throw CodeSource.malformed }
        self.code = code
        guard let end else {
            server = nil
            return
        }
        let written = String(text[..<end]), address = CommonOptions.serverAddress(written)
        guard address.hasPrefix("https://"), let backend = Backend(address) else {
            throw Invitation.badAddress(written)
        }
        server = backend.text
    }

    /// Refuses an invitation of another server than the one that is used. A server on this host does not know its public
    /// address here, and proves by itself that it knows the code.
    func require(_ server: String?) throws(CommandFailure) {
        guard let own = self.server, let server, own != server, !server.hasPrefix("unix:") else { return }
        throw CommandFailure(
            .configuration, "OTHER_SERVER", "This invitation is for \(own), but this machine uses \(server).",
            advice: Advice("Check the address: mpin-enroll config show").adding(
                "To enroll at the other server as well", "register --server \(CommonOptions.quoted(own))"))
    }

    /// The text without white space and, if its last word is a whole invitation, without the words before it, which a row
    /// of a table has.
    private static func pasted(_ text: String) -> String {
        if let last = text.split(whereSeparator: \.isWhitespace).last, let slash = last.lastIndex(of: "/"),
            last[..<slash].contains("."), RegistrationCode(invitation: String(last[last.index(after: slash)...])) != nil
        {
            return String(last)
        }
        return text.filter { !$0.isWhitespace }
    }

    /// Refuses an invitation or a code where only an address belongs.
    static func requireNone(inAddress text: String) throws(CommandFailure) {
        guard (try? Invitation(text)) != nil else { return }
        throw CommandFailure(
            .usage, "USAGE", "--server takes only the server's address, and this contains an invitation code.",
            advice: Advice("Paste the invitation instead: mpin-enroll register"))
    }

    /// Whether a part of a text has four groups of four, as a code does, or begins like one that was cut. If it is not a
    /// valid one, it is mistyped or incomplete, and is not a part of an address.
    static func looksLikeOne(_ text: String) -> Bool {
        text.filter { !$0.isWhitespace }.split(separator: "/").contains {
            $0.wholeMatch(of: /[0-9A-Za-z]{4}(-[0-9A-Za-z]{4}){3}|[0-9A-Z]{4}(-[0-9A-Z]{0,4}){1,3}/) != nil
        }
    }

    private static func badAddress(_ text: String) -> CommandFailure {
        if text.hasPrefix("unix:") {
            return CommandFailure(
                .badInput, "BAD_INPUT", "An invitation has no socket in it. Nothing was sent.",
                advice: Advice(
                    "Use only the code, and name the socket", "register --server \(CommonOptions.quoted(text))"))
        }
        let fault =
            text.hasPrefix("http://")
            ? "An M-Pin server needs https, not http." : "The address in this invitation is not valid."
        return CommandFailure(
            .badInput, "BAD_INPUT", "\(fault) Nothing was sent.",
            advice: Advice("An invitation is HOST[:PORT]/CODE. Check it, and try again", "register"))
    }
}
