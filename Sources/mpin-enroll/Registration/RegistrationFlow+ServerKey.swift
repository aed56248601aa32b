// SPDX-License-Identifier: Apache-2.0
import Console
import MPin

extension RegistrationFlow {
    /// Makes sure that the user wants a new enrollment at another server than the old one. A code proves only which server
    /// made it: an attacker can send an invitation of his own server.
    func agree(toKeyOf user: User) throws(CommandFailure) {
        guard let formerKey, let key = user.serverKeyFingerprint, key != formerKey, key != serverKey else { return }
        let canceled = "The old enrollment is unchanged."
        guard pin.mayAsk, let terminal = Terminal() else {
            throw CommandFailure(
                .inputNeeded, "OTHER_SERVER_KEY", "\(user.backend) has another key than before. \(canceled)",
                advice: Advice("If the server was set up again, run this at a terminal", "recover"))
        }
        Terminal.say("\(user.backend) has another key than before: this is another server.")
        Terminal.say("Continue only if the administrator has set up the server again.")
        guard terminal.confirms("Replace the enrollment with one at this server? [y/N] ") else {
            throw CommandFailure(
                .canceled, "CANCELED", canceled, advice: Advice("Discard the new one", "recover --start-over"))
        }
    }
}
