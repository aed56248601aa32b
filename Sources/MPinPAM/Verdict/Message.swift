// SPDX-License-Identifier: Apache-2.0
internal import MPin
package import MPinWire

/// A message for a caller who may know the result of the login. It names the next step if there is one, in at most
/// three short lines.
///
/// It is a class because it is passed on and expensive to copy.
package final class Message: Sendable {
    /// The text of the next prompt if the host shows no messages, as with sudo.
    enum PromptForm: Sendable {
        /// Nothing: the prompt contains it anyway, or the account has no PIN.
        case none
        /// The sentence itself.
        case sentence
        /// That the PIN is blocked, in fewer words.
        case blocked
    }

    package let text: ByteText
    let promptForm: PromptForm

    @inline(never)
    init(_ text: ByteText, inPrompt promptForm: PromptForm = .sentence) {
        self.text = text
        self.promptForm = promptForm
    }

    /// A failure with its own sentence, and whether the try may have been counted.
    static func failure(_ sentence: Constant, _ checked: MPinError.PINChecked) -> Message {
        Message(sentence.text + (checked == .no ? "\nYour PIN was not checked." : "\nThis try may have been counted."))
    }

    static func wrong(_ left: Int?) -> ByteText {
        let tries = tries(left)
        return tries.isEmpty ? "Wrong PIN." : "Wrong PIN." + tries + "."
    }

    /// How many wrong PINs came before a login; nil if there were none except those mistyped just now.
    @inline(never)
    static func wrong(before count: Int?, own: Int) -> ByteText? {
        guard let count, count > own else { return nil }
        var text = ByteText()
        text.append(decimal: count)
        return text + (count == 1 ? " wrong PIN since your last login." : " wrong PINs since your last login.")
    }

    /// The number of wrong PINs, with the next step.
    static func advised(_ wrong: ByteText) -> ByteText { wrong + "\nIf that was not you, ask your administrator." }

    /// How many tries are left, after a space; empty if that is unknown or zero.
    @inline(never)
    static func tries(_ left: Int?) -> ByteText {
        guard let left, left > 0 else { return ByteText() }
        var text: ByteText = " "
        text.append(decimal: left)
        text.append(left == 1 ? " try left" : " tries left")
        return text
    }

    /// The form of the PIN.
    static func shape(_ length: Int) -> ByteText {
        var text: ByteText = "Your PIN has "
        text.append(decimal: length)
        return text + " digits."
    }
}

/// All prompts of the module.
enum PromptText {
    /// The prompt for the PIN; `prompt` of the configuration replaces it.
    ///
    /// - Parameter left: how many tries are left; only for callers who may know it, and only after a wrong PIN.
    static func pin(account: ByteText, machine: ByteText, left: Int?, own words: ByteText?) -> ByteText {
        if let words { return closed(words) }
        let tries = tries(left)
        return prompt("PIN for ", account, machine, tries)
    }

    /// The prompt before the last try.
    static func lastTry(account: ByteText, machine: ByteText) -> ByteText {
        prompt("A wrong PIN may block the enrollment. PIN for ", account, machine, ByteText())
    }

    static var again: ByteText { "Retype the PIN: " }

    /// The prompt after a wrong answer; nil if it is useless to ask again.
    static func again(after outcome: LoginOutcome) -> ByteText? {
        switch outcome {
        case .refused(.incorrectPIN, let left, _):
            let tries = Message.tries(left)
            return (tries.isEmpty ? "Wrong PIN" : "Wrong PIN," + tries) + "." + orPassword
        case .notAPIN(let length?): return Message.shape(length) + orPassword
        case .notAPIN(nil), .loggedIn, .refused, .failedHere, .deviceUnknown, .unproven, .keyLost, .blockedNow,
            .blockedBefore, .notEnrolled, .unfinished, .storeClosed, .storeUnusable, .misconfigured, .noAnswer,
            .conversationFailed, .notConfirmed, .lastTryKept, .serverAbsent, .unattended, .elsewhere, .anotherUser,
            .methodUnavailable, .weakPIN, .newPINsDiffer, .changed:
            return nil
        }
    }

    /// The prompt for a registration that the server has refused before and may refuse again.
    static func revoked(_ reason: ByteText?) -> ByteText {
        var text: ByteText = "Enrollment revoked"
        if let reason, !reason.isEmpty { text = text + ": " + VisibleText.sanitized(reason, limit: 100) }
        return text + ". Type the PIN to try again, or press Enter to use the password: "
    }

    static var blocked: ByteText { reason("Enrollment blocked (run: sudo mpin-enroll recover)") }

    /// A message as a prompt that only takes Enter.
    static func reason(_ message: ByteText) -> ByteText {
        var text = ByteText()
        for byte in message.bytes { text.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte) }
        // Some messages end in a command; the period separates it from the word Enter.
        if text.bytes.last != UInt8(ascii: ".") { text.append(".") }
        return text + " Press Enter to use the password: "
    }

    private static var orPassword: ByteText { " Type the PIN, or press Enter to use the password: " }

    static func current(account: ByteText, machine: ByteText) -> ByteText {
        prompt("Current PIN for ", account, machine, ByteText())
    }

    static var new: ByteText { "New PIN: " }

    static var newAgain: ByteText { "Retype the new PIN: " }

    @inline(never)
    private static func prompt(_ words: StaticString, _ account: ByteText, _ machine: ByteText, _ tries: ByteText)
        -> ByteText
    {
        var text = ByteText(words)
        text.append(contentsOf: VisibleText.sanitized(account, limit: 64))
        text.append(" on ")
        text.append(contentsOf: VisibleText.sanitized(machine, limit: 64))
        text.append(contentsOf: tries)
        text.append(": ")
        return text
    }

    private static func tries(_ left: Int?) -> ByteText {
        let tries = Message.tries(left)
        return tries.isEmpty ? tries : " (" + ByteText(tries.bytes.span.extracting(1..<tries.count)) + ")"
    }

    /// Adds a space at the end if there is none, so that the cursor does not touch the words.
    private static func closed(_ words: ByteText) -> ByteText {
        words.bytes.last == UInt8(ascii: " ") ? words : words + " "
    }
}
