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
