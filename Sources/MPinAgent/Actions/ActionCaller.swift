// SPDX-License-Identifier: Apache-2.0
package import MPin

/// The user for whom an action is performed: at the other end of a connection to the agent, or at the terminal of root's
/// own mpin-enroll.
package protocol ActionCaller {
    /// Asks the user for a secret.
    ///
    /// - Returns: the secret, which is empty if the user pressed only Enter.
    /// - Throws: ``ActionFailure/Kind/unanswered`` when the user canceled or has disconnected.
    func ask(_ question: ActionQuestion) throws(ActionFailure) -> PIN
}
