internal import MPin
package import MPinWire

/// A sentence for a caller who may know the result of the login. It names the next step where there is one, in at most
/// three short lines.
///
/// A class because it is handed on, and long to copy.
package final class Message: Sendable {
    /// What the next prompt says where the host shows no messages, as sudo does.
    enum PromptForm: Sendable {
        /// Nothing: the prompt says it anyway, or the account has no PIN to wait for.
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

    /// A failure that says itself what happened, and whether the try may have been counted.
    static func failure(_ sentence: Constant, _ checked: MPinError.PINChecked) -> Message {
        Message(
            sentence.text + (checked == .no ? "\nYour PIN was not checked." : "\nThis try may have been counted."))
    }

    static func wrong(_ left: Int?) -> ByteText {
        let tries = tries(left)
        return tries.isEmpty ? "Wrong PIN." : "Wrong PIN." + tries + "."
    }

    /// How many wrong PINs came before a login; nil where there were none but those that were mistyped just now.
    @inline(never)
    static func wrong(before count: Int?, own: Int) -> ByteText? {
        guard let count, count > own else { return nil }
        var text = ByteText()
        text.append(decimal: count)
        return text + (count == 1 ? " wrong PIN since your last login." : " wrong PINs since your last login.")
    }

    /// The same with what to do about it.
    static func advised(_ wrong: ByteText) -> ByteText { wrong + "\nNot all yours? Ask your administrator." }

    /// How many tries are left, behind a space; empty when that is unknown or none.
    @inline(never)
    static func tries(_ left: Int?) -> ByteText {
        guard let left, left > 0 else { return ByteText() }
        var text: ByteText = " "
        text.append(decimal: left)
        text.append(left == 1 ? " try left" : " tries left")
        return text
    }

    /// What the PIN looks like.
    static func shape(_ length: Int) -> ByteText {
        var text: ByteText = "Your PIN has "
        text.append(decimal: length)
        return text + " digits."
    }
}
