// SPDX-License-Identifier: Apache-2.0
internal import MPin
package import MPinWire

/// A message for a caller who may know the result of the login. It names the next step if there is one, in at most
/// three short lines.
///
/// It is a class because it is passed on and expensive to copy.
package final class Message: Sendable {
    package let text: ByteText
    /// The failure that a PAM handle shows only once; nil for a message that it always shows.
    let failure: HandleAttempts.Failure?

    @inline(never)
    init(_ text: ByteText, of failure: HandleAttempts.Failure? = nil) { (self.text, self.failure) = (text, failure) }

    /// A failure with its own sentence, and whether the try may have been counted.
    static func failure(_ sentence: Constant, _ checked: MPinError.PINChecked) -> Message {
        let text = sentence.text
        // Without the full stop, because the sentence goes on: on the same line, if that has at most 80 columns.
        var clause = ByteText(text.bytes.span.extracting(0..<max(0, text.count - 1)))
        clause.append(text.count > 48 ? ";\n" : "; ")
        return checked == .no
            ? Message(clause + "your PIN was not checked.", of: .unreachable)
            : Message(clause + "this try may have been counted.")
    }

    static func wrong(_ left: Int?) -> ByteText {
        let tries = tries(left)
        return (tries.isEmpty ? "Wrong PIN" : "Wrong PIN," + tries) + "."
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
}

enum PromptText {
    /// The prompt for the PIN; `prompt` of the configuration replaces it.
    ///
    /// - Parameters:
    ///   - left: how many tries are left; only for callers who may know it, and only after a wrong PIN.
    ///   - takesPassword: whether a password is passed on.
    static func pin(
        account: ByteText, machine: ByteText, left: Int?, takesPassword: Bool, own words: ByteText?
    ) -> ByteText {
        if let words { return closed(words) }
        return prompt(pin(takesPassword) + " for ", account, machine, tries(left))
    }

    static func lastTry(account: ByteText, machine: ByteText, takesPassword: Bool) -> ByteText {
        prompt("Last try. " + pin(takesPassword) + " for ", account, machine, ByteText())
    }

    private static func pin(_ takesPassword: Bool) -> ByteText { takesPassword ? "PIN or password" : "PIN" }

    static var again: ByteText { "Retype the PIN: " }

    static func current(account: ByteText, machine: ByteText) -> ByteText {
        prompt("Current PIN for ", account, machine, ByteText())
    }

    static var new: ByteText { "New PIN: " }

    static var newAgain: ByteText { "Retype the new PIN: " }

    @inline(never)
    private static func prompt(_ words: ByteText, _ account: ByteText, _ machine: ByteText, _ tries: ByteText)
        -> ByteText
    {
        var text = words
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
